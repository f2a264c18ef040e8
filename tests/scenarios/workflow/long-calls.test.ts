import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { WORKFLOW_TIMED_OUT } from '../../../src/contract/invocation.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { DAY, PROTOCOLS, working } from './support/working.ts'

const SUCCESS = { status: 'success', output: { done: true } } as const

for (const protocol of PROTOCOLS) {
  verifies(
    ['GOV-12', 'LIN-2'],
    `${protocol}: after a 202 the round rests without a slot, and goes on with the result`,
    async () => {
      const it = await working()
      it.outside.play('goes on')
      const { requestId, run, callId } = await it.askUntilItWaits(protocol)
      expect(run).toMatchObject({ status: 'running', engineRef: '1001' })
      const events = await it.events()
      const until = said(events, 'tool.submitted')[0]?.until ?? 0
      expect(said(events, 'tool.submitted')).toMatchObject([{ callId, ref: run.id, kind: 'workflow' }])
      expect(said(events, 'round.waiting')).toEqual([{ for: 'workflow', callIds: [callId], until }])
      expect(Math.abs(until - (run.createdAt + DAY))).toBeLessThan(5000)
      expect(it.segno.stats()).toMatchObject({ running: 0 })
      expect(await it.segno.rounds.get(LOCAL_OWNER, requestId)).toMatchObject({
        state: 'waiting',
        waitingFor: 'workflow',
      })
      expect((await it.reportWithToken(it.outside.last(), SUCCESS)).status).toBe(200)
      expect(await it.roundEnded(requestId)).toMatchObject({ finishReason: 'complete', content: 'Printed.' })
      expect(said(await it.events(), 'tool.result')).toMatchObject([
        { callId, outcome: 'ok', effect: 'done', content: '{"done":true}' },
      ])
      expect(it.outside.asked).toHaveLength(1)
    },
  )

  verifies(['GOV-12', 'REL-4'], `${protocol}: a round that waits for a workflow waits on after a restart`, async () => {
    const it = await working()
    it.outside.play('goes on')
    const { requestId } = await it.askUntilItWaits(protocol)
    await it.reopen()
    expect(it.segno.stats()).toMatchObject({ live: 0, running: 0 })
    expect(await it.segno.rounds.get(LOCAL_OWNER, requestId)).toMatchObject({
      state: 'waiting',
      waitingFor: 'workflow',
    })
    await it.reportWithToken(it.outside.last(), SUCCESS)
    expect(await it.roundEnded(requestId)).toMatchObject({ content: 'Printed.' })
    expect([it.outside.asked.length, (await it.runs()).length]).toEqual([1, 1])
  })

  verifies('GOV-12', `${protocol}: who waits too long reads that it may still complete`, async () => {
    for (const effect of ['pure', 'unsafe'] as const) {
      const it = await working({ effect, waitMs: 2 * DAY })
      it.outside.play('goes on')
      const { requestId, run } = await it.askUntilItWaits(protocol)
      it.clock.pass(2 * DAY)
      expect(await it.roundEnded(requestId)).toMatchObject({ finishReason: 'complete', content: 'Printed.' })
      const [result] = said(await it.events(), 'tool.result')
      expect(result).toMatchObject({ outcome: 'timeout', effect: effect === 'pure' ? 'none' : 'unknown' })
      expect(result?.content).toContain(WORKFLOW_TIMED_OUT)
      expect(JSON.stringify(it.requests.at(-1)?.prompt)).toContain(WORKFLOW_TIMED_OUT)
      expect(await it.ended(run.id)).toMatchObject({ status: 'timeout', code: 'TIMEOUT' })
    }
  })

  verifies(
    'GOV-12',
    `${protocol}: a failure that is reported later is told in the same words as one at once`,
    async () => {
      const it = await working()
      it.outside.play('goes on')
      const { requestId } = await it.askUntilItWaits(protocol)
      await it.reportWithToken(it.outside.last(), { status: 'failure', error: 'There is no paper.' })
      expect(await it.roundEnded(requestId)).toMatchObject({ content: 'Printed.' })
      const [result] = said(await it.events(), 'tool.result')
      expect(result).toMatchObject({ outcome: 'error', effect: 'none' })
      expect(result?.content).toBe(
        '[Tool "workflow_print" failed: There is no paper. Proceeding without this information.]',
      )
    },
  )
}

test('a time that passes while Segno is down is noticed by the next start', async () => {
  const it = await working()
  it.outside.play('goes on')
  const { requestId, run } = await it.askUntilItWaits()
  const reopened = it.reopen()
  it.clock.pass(DAY)
  await reopened
  expect(await it.roundEnded(requestId)).toMatchObject({ content: 'Printed.' })
  expect(said(await it.events(), 'tool.result')).toMatchObject([{ outcome: 'timeout' }])
  expect(await it.ended(run.id)).toMatchObject({ status: 'timeout' })
})

test('cancelling the round while it waits leaves the call unknown, and the run goes on', async () => {
  const it = await working()
  it.outside.play('goes on')
  const { requestId, run } = await it.askUntilItWaits()
  await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
  expect(await it.roundEnded(requestId)).toMatchObject({ finishReason: 'cancelled', calls: [{ outcome: 'unknown' }] })
  expect(await it.segno.invocations.get(LOCAL_OWNER, run.id)).toMatchObject({ status: 'running' })
})

test('cancelling the run tells the round, which goes on with what is known', async () => {
  const it = await working()
  it.outside.play('goes on')
  const { requestId, run } = await it.askUntilItWaits()
  expect(await it.segno.invocations.cancel(LOCAL_OWNER, run.id)).toMatchObject({ status: 'unknown', code: 'CANCELLED' })
  expect(await it.roundEnded(requestId)).toMatchObject({ content: 'Printed.' })
  const [result] = said(await it.events(), 'tool.result')
  expect(result).toMatchObject({ effect: 'unknown' })
  expect(result?.content).toContain('It was cancelled')
})

test('a hundred calls that wait hold no slot, and each goes on with its own result', async () => {
  const many = 100
  const it = await working({}, { limits: { MAX_ROUNDS: 2 } })
  it.outside.play('goes on')
  const rounds = []
  for (let n = 0; n < many; n++) {
    const { id } = await it.segno.createSession()
    rounds.push(await it.send('Go.', { sessionId: id }))
  }
  await it.outside.wasAsked(many)
  for (const asked of it.outside.asked) expect((await it.reportWithToken(asked, SUCCESS)).status).toBe(200)
  for (const round of rounds) expect(await round.completion).toMatchObject({ content: 'Printed.' })
  expect(new Set(it.outside.begun).size).toBe(many)
})

test('a result that comes before the round rests is not lost', async () => {
  const it = await working()
  it.outside.play('goes on')
  const round = await it.send()
  await it.outside.wasAsked(1)
  // The answer to the hand-over may not have been read yet.
  expect((await it.reportWithToken(it.outside.last(), SUCCESS)).status).toBe(200)
  expect(await round.completion).toMatchObject({ content: 'Printed.', calls: [{ outcome: 'ok' }] })
  expect(said(await it.events(), 'tool.result')).toHaveLength(1)
})
