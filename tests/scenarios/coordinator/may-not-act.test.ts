import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { eventually } from '../library/support/eventually.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { twoNodes, type Node } from './support/two-nodes.ts'

async function stage() {
  const hold = gateTool('hold', { effect: 'unsafe' })
  const mail = probe('mail', { effect: 'unsafe' })
  const turns = [{ calls: [{ name: 'hold' }, { name: 'mail' }] }, { text: 'There.' }]
  const mailing = [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }]
  const nodes = await twoNodes({
    model: {
      scenarios: [
        { when: '^hold', turns },
        { when: '^mail', turns: mailing },
      ],
    },
    tools: [hold, mail],
  })
  return { ...nodes, hold, mail }
}

/** The lease is over, and noticed. */
function loseLease({ lease, coordinator }: Node): void {
  lease.until = 0
  lease.mayAct = false
  coordinator.giveUp()
}

verifies('REL-3', 'a node whose lease is over when the start of a call is stored does not run it', async () => {
  const { one, two, mail } = await stage()
  const { id } = await one.sessions.create(LOCAL_OWNER)
  const { commit } = one.store
  const lost = Promise.withResolvers<void>()
  one.store.commit = async (change) => {
    const result = await commit(change)
    if (change.events.some(({ type }) => type === 'tool.started')) {
      one.lease.mayAct = false
      one.lease.until = 0
      lost.resolve()
    }
    return result
  }
  const { requestId } = await one.rounds.send(LOCAL_OWNER, id, 'mail')
  await lost.promise
  await one.coordinator.settled(id, true)
  expect(mail.runs).toHaveLength(0)
  expect(one.coordinator.stats()).toMatchObject({ live: 0, running: 0 })
  await two.coordinator.rescue()
  expect((await two.segno.completion(id, requestId)).calls).toMatchObject([{ outcome: 'unknown' }])
  expect(mail.runs).toHaveLength(0)
})

verifies('REL-3', 'what a node gives up stores nothing more, and is told to stop', async () => {
  const { one, two, hold, mail, holding } = await stage()
  const { id, requestId } = await holding(hold.entered)
  const stored = await two.store.read(id)
  loseLease(one)
  await eventually(() => hold.runs[0]?.ctx.signal.aborted === true)
  await eventually(() => one.coordinator.stats().running === 0)
  expect(one.coordinator.stats().live).toBe(0)
  expect(await two.store.read(id)).toEqual(stored)
  await two.coordinator.rescue()
  const { calls } = await two.segno.completion(id, requestId)
  expect(calls).toMatchObject([{ outcome: 'unknown' }, { name: 'mail', outcome: 'ok' }])
  expect([hold.runs.length, mail.runs.length]).toEqual([1, 1])
})

verifies(['REL-1', 'REL-3'], 'a node that may not act stores messages and begins none', async () => {
  const { one, two } = await stage()
  const { id } = await one.sessions.create(LOCAL_OWNER)
  loseLease(one)
  const sent = await one.rounds.send(LOCAL_OWNER, id, 'hello')
  expect(sent.state).toBe('queued')
  expect(one.coordinator.stats()).toMatchObject({ live: 0, running: 0 })
  expect(one.coordinator.refusal()).toBe('store')
  expect((await problemOf(async () => one.coordinator.checkRoom(LOCAL_OWNER))).code).toBe('STORE_UNAVAILABLE')
  await one.coordinator.rescue()
  await one.coordinator.wake(id)
  expect(one.coordinator.stats().live).toBe(0)
  await two.coordinator.rescue()
  expect(await two.segno.completion(id, sent.requestId)).toMatchObject({ content: 'Echo: hello' })
})

verifies('REL-3', 'a node that gave up everything works on as a new owner', async () => {
  const { one, hold, holding } = await stage()
  const { id, requestId } = await holding(hold.entered)
  loseLease(one)
  Object.assign(one.lease, { until: Infinity, mayAct: true })
  expect(one.coordinator.refusal()).toBe(undefined)
  await one.coordinator.rescue()
  expect((await one.segno.completion(id, requestId)).finishReason).toBe('complete')
  const next = await one.rounds.send(LOCAL_OWNER, id, 'more')
  expect(await one.segno.completion(id, next.requestId)).toMatchObject({ content: 'Echo: more' })
  expect(said(await one.store.read(id), 'round.resumed')).toHaveLength(1)
})

verifies('COO-1', 'who follows a turn that its node gave up is told to forget what it said', async () => {
  const said = Promise.withResolvers<void>()
  const { one } = await twoNodes({
    model: { scenarios: [{ when: '', turns: [{ text: 'one two three four five six', deltaChars: 4, delayMs: 50 }] }] },
  })
  const { id } = await one.sessions.create(LOCAL_OWNER)
  const pulses: string[] = []
  const following = (async () => {
    for await (const frame of one.segno.follow(id)) {
      if (frame.kind !== 'pulse') continue
      pulses.push(frame.pulse.type)
      said.resolve()
      if (frame.pulse.type === 'reset') return
    }
  })()
  await one.rounds.send(LOCAL_OWNER, id, 'talk')
  await said.promise
  loseLease(one)
  await following
  expect(pulses.at(-1)).toBe('reset')
})

for (const [effect, isClean] of [
  ['unsafe', false],
  ['pure', true],
] as const) {
  verifies(
    'COO-10',
    `a node whose ${effect} call does not stop ${isClean ? 'can' : 'cannot'} say goodbye`,
    async () => {
      const begun = Promise.withResolvers<void>()
      const stubborn = probe('stubborn', {
        effect,
        approval: 'auto',
        run() {
          begun.resolve()
          return new Promise(() => {})
        },
      })
      const turns = [{ calls: [{ name: 'stubborn' }] }, { text: 'There.' }]
      const { one } = await twoNodes({ model: { scenarios: [{ when: '', turns }] }, tools: [stubborn] })
      const { id } = await one.sessions.create(LOCAL_OWNER)
      await one.rounds.send(LOCAL_OWNER, id, 'go')
      await begun.promise
      expect(await one.coordinator.drain(1)).toBe(isClean)
    },
  )
}
