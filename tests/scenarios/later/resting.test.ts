import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { answersLater } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { DAY, handingOver, heldClock, PROTOCOLS } from './handing-over.ts'

for (const protocol of PROTOCOLS)
  verifies(['LIN-2', 'REL-4'], `${protocol}: a call that waits is waited for after a restart too`, async () => {
    const it = await handingOver()
    const { requestId, callId } = await it.handOver(protocol)
    await it.reopen()
    expect(await it.segno.rounds.get(LOCAL_OWNER, requestId)).toMatchObject({ state: 'waiting', waitingFor: 'result' })
    expect(it.segno.stats()).toMatchObject({ live: 0, running: 0 })
    await it.answer(callId)
    expect(await it.ended(requestId)).toMatchObject({ finishReason: 'complete', content: 'Printed.' })
    expect(it.print.runs).toHaveLength(1)
    expect(said(await it.events(), 'round.resumed')).toMatchObject([{ reason: 'decided' }])
  })

verifies('LIN-2', 'a result that is stored when Segno stops is folded in by the next start', async () => {
  const it = await handingOver()
  const { requestId, callId } = await it.handOver()
  const closing = it.segno.close()
  await it.answer(callId).catch(() => {})
  await closing
  await it.reopen()
  await it.answer(callId)
  expect(await it.ended(requestId)).toMatchObject({ content: 'Printed.' })
  expect(said(await it.events(), 'tool.result')).toHaveLength(1)
})

for (const protocol of PROTOCOLS)
  verifies(
    ['GOV-7', 'REL-2'],
    `${protocol}: a result that does not come in time leaves its effect unknown`,
    async () => {
      for (const effect of ['unsafe', 'pure'] as const) {
        const clock = heldClock()
        const it = await handingOver({ effect }, { clock })
        const { requestId, callId } = await it.handOver(protocol)
        const reopened = it.reopen()
        clock.pass(DAY)
        await reopened
        expect(await it.ended(requestId)).toMatchObject({ finishReason: 'complete', content: 'Printed.' })
        const unknown = effect === 'pure' ? 'none' : 'unknown'
        expect(said(await it.events(), 'tool.result')).toMatchObject([
          { callId, outcome: 'timeout', effect: unknown, durationMs: DAY },
        ])
        expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toHaveLength(effect === 'pure' ? 0 : 1)
        expect(await it.answer(callId)).toBe(effect === 'pure' ? 'dropped' : 'taken')
        if (effect === 'unsafe') await it.until('tool.reconciled')
        expect(await it.dropped()).toHaveLength(effect === 'pure' ? 1 : 0)
        expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
        expect(await it.segno.check()).toMatchObject({ ok: true })
      }
    },
  )

verifies(
  ['LIN-2', 'REL-2'],
  'a round cancelled while it waits leaves the call unknown, and a late result settles it',
  async () => {
    for (const [answer, happened] of [
      [{ output: 'on paper' }, true],
      [{ error: 'out of paper' }, false],
    ] as const) {
      const it = await handingOver()
      const { requestId, callId } = await it.handOver()
      await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
      expect(await it.ended(requestId)).toMatchObject({ finishReason: 'cancelled' })
      expect(said(await it.events(), 'tool.result')).toMatchObject([{ callId, outcome: 'unknown', effect: 'unknown' }])
      await it.reopen()
      expect(await it.answer(callId, answer)).toBe('taken')
      const { data } = await it.until('tool.reconciled')
      expect(data).toMatchObject({ callId, happened, by: LOCAL_OWNER.id })
      expect(await it.answer(callId, answer)).toBe('taken')
      expect(await it.answer(callId, { output: 'no, this' })).toBe('dropped')
      expect(said(await it.events(), 'tool.reconciled')).toHaveLength(1)
      expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
    }
  },
)

test('a late answer settles a call as its effect says, and one in doubt itself settles nothing', async () => {
  const unshowable = {
    toJSON(): never {
      throw new Error('not like this')
    },
  }
  for (const [answer, happened] of [
    [{ output: unshowable as never }, true],
    [{ error: Object.assign(new Error('connection lost'), { effect: 'unknown' }) }, false],
  ] as const) {
    const it = await handingOver()
    const { requestId, callId } = await it.handOver()
    await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
    await it.ended(requestId)
    expect(await it.answer(callId, answer)).toBe(happened ? 'taken' : 'dropped')
    if (!happened) {
      expect(await it.dropped()).toHaveLength(1)
      expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toHaveLength(1)
      expect(await it.answer(callId, { output: 'on paper' })).toBe('taken')
    }
    expect((await it.until('tool.reconciled')).data).toMatchObject({ callId, happened: true })
  }
})

verifies(['LIN-2', 'LIN-6'], 'a fork made while a call waits has it unknown, and its parent goes on', async () => {
  const it = await handingOver()
  const { requestId, callId } = await it.handOver()
  const { seq } = await it.segno.sessions.get(LOCAL_OWNER, it.sessionId)
  const fork = await it.segno.sessions.fork(LOCAL_OWNER, it.sessionId, seq)
  const results = said(await it.segno.sessions.events(LOCAL_OWNER, fork.id), 'tool.result')
  expect(results).toMatchObject([{ callId, outcome: 'unknown' }])
  await it.answer(callId)
  expect(await it.ended(requestId)).toMatchObject({ content: 'Printed.' })
  // The fork is told for itself.
  const toFork = { sessionId: fork.id, callId }
  expect(await it.segno.rounds.answerCall(LOCAL_OWNER, toFork, { output: 'on paper' })).toBe('taken')
  for await (const frame of it.segno.follow(fork.id))
    if (frame.kind === 'event' && frame.event.type === 'tool.reconciled') break
  expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
  expect(it.print.runs).toHaveLength(1)
})

test('a message behind a round that waits for a result is answered after it, and one that interrupts ends it', async () => {
  const it = await handingOver()
  const { requestId, callId } = await it.handOver()
  const behind = await it.segno.rounds.send(LOCAL_OWNER, it.sessionId, 'And then?')
  expect(behind.state).toBe('queued')
  await it.answer(callId)
  await it.ended(requestId)
  await it.until('tool.submitted', 2)
  await it.segno.rounds.send(LOCAL_OWNER, it.sessionId, 'Stop!', { onBusy: 'interrupt' })
  expect(await it.ended(behind.requestId)).toMatchObject({ calls: [{ outcome: 'unknown' }] })
})

test('a pause asked for while it waits begins when the result has come', async () => {
  for (const protocol of PROTOCOLS) {
    const it = await handingOver()
    const { requestId, callId } = await it.handOver(protocol)
    await it.segno.rounds.pause(LOCAL_OWNER, requestId)
    await it.answer(callId)
    await it.until('round.paused')
    await it.segno.rounds.resume(LOCAL_OWNER, requestId)
    expect(await it.ended(requestId)).toMatchObject({ content: 'Printed.' })
  }
})

test('an approval that expires behind a call that waits is noticed in time, and the call waits on', async () => {
  const clock = heldClock()
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const it = await handingOver(
    { approval: 'ask', run: () => answersLater('job', { withinMs: 2 * DAY }) },
    {
      clock,
      turns: [
        {
          calls: [
            { name: 'print', args: {} },
            { name: 'mail', args: {} },
          ],
        },
        { text: 'Done.' },
      ],
    },
  )
  await it.reopen({ tools: [it.print, mail] })
  const { round, approvals } = await it.askUntilWaiting()
  await it.decide(approvals[0], 'approve')
  const { data } = await it.until('round.waiting', 2)
  expect(data).toMatchObject({ for: 'result', until: clock.now() + DAY })
  clock.pass(DAY)
  expect((await it.until('round.waiting', 3)).data).toMatchObject({ for: 'result', until: clock.now() + DAY })
  await it.answer(it.print.runs[0]?.ctx.callId ?? '')
  expect(await it.ended(round.requestId)).toMatchObject({ calls: [{ outcome: 'ok' }, { outcome: 'denied' }] })
  expect(mail.runs).toEqual([])
})

test('a deleted session waits for nothing', async () => {
  const it = await handingOver()
  const { callId } = await it.handOver()
  await it.segno.sessions.delete(LOCAL_OWNER, it.sessionId)
  await expect(it.answer(callId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await it.segno.check()).toMatchObject({ ok: true })
})
