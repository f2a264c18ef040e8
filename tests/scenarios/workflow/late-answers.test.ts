import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { DAY, PRINTS, PROTOCOLS, working, type Working } from './support/working.ts'

const SUCCESS = { status: 'success', output: { done: true } } as const
const FAILED = { status: 'failure', error: 'There is no paper.' } as const

/** What may happen to a call before its answer comes, and what its run is then. */
const BEFORE = {
  'its time was over': ['timeout', async ({ clock }: Working) => clock.pass(DAY)],
  'its round was cancelled': [
    'running',
    ({ segno, sessionId }: Working, requestId: string) => segno.rounds.cancel(LOCAL_OWNER, sessionId, requestId),
  ],
  'its run was cancelled': [
    'unknown',
    ({ segno }: Working, _: string, runId: string) => segno.invocations.cancel(LOCAL_OWNER, runId),
  ],
} as const

for (const protocol of PROTOCOLS)
  for (const [what, [status, happens]] of Object.entries(BEFORE))
    for (const report of [SUCCESS, FAILED])
      verifies(
        ['GOV-12', 'LIN-2'],
        `${protocol}: a ${report.status} that comes after ${what} is told, and reopens nothing`,
        async () => {
          const script = { scenarios: [{ when: 'Go', turns: PRINTS }], otherwise: { text: 'I heard.' } }
          const it = await working({}, { script })
          it.outside.play('goes on')
          const { requestId, run, callId } = await it.askUntilItWaits(protocol)
          await happens(it, requestId, run.id)
          await it.roundEnded(requestId)
          await it.ended(run.id, (one) => one.status === status)
          expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toHaveLength(1)
          expect(await it.reportSigned(run.id, report)).toMatchObject({ status: 200, body: { status: report.status } })
          const { data } = await it.until('tool.reconciled')
          expect(data).toMatchObject({ callId, happened: report === SUCCESS, late: true })
          expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
          const ends = said(await it.events(), 'round.ended')
          await it.ask('What is new?', { protocol })
          const prompt = JSON.stringify(it.requests.at(-1)?.prompt)
          expect(prompt).toContain(`Its result has come since: it did ${report === SUCCESS ? '' : 'not '}happen.`)
          expect(said(await it.events(), 'round.ended')).toHaveLength(ends.length + 1)
          expect(said(await it.events(), 'tool.result')).toHaveLength(1)
          expect(await it.segno.check()).toMatchObject({ ok: true })
        },
      )

verifies('LIN-2', 'a late answer that comes before a restart is told once after it', async () => {
  const it = await working()
  it.outside.play('goes on')
  const { requestId, run } = await it.askUntilItWaits()
  await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
  await it.roundEnded(requestId)
  await it.reportSigned(run.id, SUCCESS)
  await it.reopen()
  await it.until('tool.reconciled')
  await it.ended(run.id, ({ told }) => told === true)
  await it.reportSigned(run.id, SUCCESS)
  await it.reopen()
  expect(said(await it.events(), 'tool.reconciled')).toHaveLength(1)
})

test('a late answer of one that changes nothing changes its run', async () => {
  const it = await working({ effect: 'pure' })
  it.outside.play('goes on')
  const { requestId, run } = await it.askUntilItWaits()
  it.clock.pass(DAY)
  await it.roundEnded(requestId)
  await it.ended(run.id)
  await it.reportSigned(run.id, SUCCESS)
  expect(await it.ended(run.id)).toMatchObject({ status: 'success', output: { done: true } })
  await it.ended(run.id, ({ told }) => told === true)
})

for (const isErased of [false, true])
  test(`a result that comes ${isErased ? 'after' : 'while'} its conversation is erased is kept nowhere`, async () => {
    const it = await working()
    it.outside.play('goes on')
    const { run } = await it.askUntilItWaits()
    await it.segno.sessions.delete(LOCAL_OWNER, it.sessionId)
    const erased = () => it.ended(run.id, ({ input }) => input === undefined)
    if (isErased) await erased()
    const said = await it.reportSigned(run.id, { status: 'success', output: { done: true, canary: 'zanzibar' } })
    expect(said.status).toBe(200)
    await erased()
    const after = await it.ended(run.id, ({ dueAt }) => dueAt === undefined)
    expect(after).toMatchObject({ status: 'success' })
    expect(JSON.stringify(after)).not.toContain('zanzibar')
    expect(await it.segno.check()).toMatchObject({ ok: true })
  })

test('a fork of a conversation whose call waits has it unknown, and the parent gets the result', async () => {
  const it = await working()
  it.outside.play('goes on')
  const { requestId, run, callId } = await it.askUntilItWaits()
  const { seq } = await it.segno.sessions.get(LOCAL_OWNER, it.sessionId)
  const fork = await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, seq)
  const ofFork = said(await it.segno.sessions.events(LOCAL_OWNER, fork.id), 'tool.result')
  expect(ofFork).toMatchObject([{ callId, outcome: 'unknown' }])
  await it.reportSigned(run.id, SUCCESS)
  expect(await it.roundEnded(requestId)).toMatchObject({ content: 'Printed.', calls: [{ outcome: 'ok' }] })
  expect(it.outside.asked).toHaveLength(1)
})

verifies('GOV-13', 'after an unclear end the identical call needs a person', async () => {
  const it = await working({ timeoutMs: 1000 })
  it.outside.play('stays silent', 'succeeds')
  const { events } = await it.ask()
  expect(said(events, 'tool.result')).toMatchObject([{ effect: 'unknown' }])
  await it.giveTime()
  const { round, approvals } = await it.askUntilWaiting('Again.')
  expect(approvals).toMatchObject([{ tool: 'workflow_print' }])
  expect(it.outside.asked).toHaveLength(1)
  await it.decide(approvals[0], 'approve')
  expect(await round.completion).toMatchObject({ calls: [{ outcome: 'ok' }] })
  expect(new Set(it.outside.asked.map(({ key }) => key)).size).toBe(2)
})
