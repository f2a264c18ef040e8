import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Store } from '../../../src/store/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { openSegno } from '../library/support/open-segno.ts'

const script = (tool: string) => ({
  scenarios: [{ when: '^go', turns: [{ calls: [{ name: tool }] }, { text: 'ok' }] }],
})

verifies(
  'LIN-6',
  'a fork of a running round says of a started call that nobody knows, and leaves the round alone',
  async () => {
    const hold = gateTool('hold', { effect: 'unsafe' })
    const u = await segnoUnderTest({ tools: [hold], script: script('hold') })
    const running = await u.send('go')
    await hold.entered
    const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
    const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
    const events = await u.segno.sessions.events(LOCAL_OWNER, fork.id)
    expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'unknown', effect: 'unknown' }])
    expect(said(events, 'round.ended')).toMatchObject([{ finishReason: 'cancelled' }])
    expect(await u.ask('hello', { sessionId: fork.id })).toMatchObject({ content: 'Echo: hello' })
    hold.open()
    expect(await running.completion).toMatchObject({ finishReason: 'complete', calls: [{ outcome: 'ok' }] })
    expect(hold.runs).toHaveLength(1)
  },
)

verifies('LIN-6', 'a fork in the middle of an answer starts without it, and the answer goes on', async () => {
  const text = 'a slow answer'
  const u = await segnoUnderTest({
    script: { scenarios: [{ when: '^go', turns: [{ text, deltaChars: 1, delayMs: 5 }] }] },
  })
  const running = await u.send('go')
  await u.until('turn.started')
  const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
  expect(await u.ask('hello', { sessionId: fork.id })).toMatchObject({ content: 'Echo: hello' })
  expect((await running.completion).content).toBe(text)
})

verifies('LIN-6', 'a fork of a round that waits asks nobody, and the decision belongs to the original', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], script: script('mail') })
  const { round, approvals } = await u.askUntilWaiting('go')
  const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  const fork = await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, seq)
  expect(await u.pending()).toEqual(approvals)
  const events = await u.segno.sessions.events(LOCAL_OWNER, fork.id)
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'cancelled', effect: 'none' }])
  await u.decide(approvals[0], 'approve')
  expect((await round.completion).calls).toMatchObject([{ outcome: 'ok' }])
  expect(await u.ask('hello', { sessionId: fork.id })).toMatchObject({ content: 'Echo: hello' })
  expect(mail.runs).toHaveLength(1)
})

verifies('LIN-6', 'a fork costs the same however long the history is', async () => {
  let read = 0
  const counted = (open: () => Store): Store => {
    const store = open()
    return {
      ...store,
      async read(id, wanted) {
        const events = await store.read(id, wanted)
        read += events.length
        return events
      },
    }
  }
  const segno = await openSegno({ model: {}, limits: { COMPACT_PERCENT: 0 } }, { store: counted })
  const { id } = await segno.createSession()
  const costs: number[] = []
  for (const rounds of [1, 40]) {
    for (let i = 0; i < rounds; i++) await (await segno.streamRequest(id, 'hello')).completion
    const { seq } = await segno.sessions.get(LOCAL_OWNER, id)
    for (const at of [seq, seq - 1]) {
      read = 0
      await segno.sessions.fork(LOCAL_OWNER, id, at)
      costs.push(read)
    }
  }
  expect(costs.slice(2)).toEqual(costs.slice(0, 2))
})
