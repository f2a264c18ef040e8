import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Tool, Verification } from '../../../src/contract/tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { twoNodes } from './support/two-nodes.ts'

/** A round of the first node stands inside its tool when the lease of that node runs out. */
async function evicted(more: Partial<Tool>) {
  const hold = gateTool('hold', more)
  const turns = [{ calls: [{ name: 'hold' }] }, { text: 'There.' }]
  const nodes = await twoNodes({ model: { scenarios: [{ when: '^hold', turns }] }, tools: [hold] })
  const open = await nodes.holding(hold.entered)
  nodes.one.lease.until = 0
  return { ...nodes, ...open, hold }
}

const looksUp = (answer: Verification): Partial<Tool> => ({ effect: 'verifiable', verify: async () => answer })

verifies(['REL-2', 'REL-3'], 'a call of an evicted node that is not found is unknown, and is not run', async () => {
  const { two, hold, id, requestId } = await evicted(looksUp({ happened: false }))
  await two.coordinator.rescue()
  const { calls } = await two.segno.completion(id, requestId)
  expect(calls).toMatchObject([{ outcome: 'unknown', effect: 'unknown' }])
  expect(hold.runs).toHaveLength(1)
  const events = await two.store.read(id)
  expect(said(events, 'round.resumed')).toEqual([{ n: 1, turn: 2, reason: 'takeover', evicted: true }])
  expect(said(events, 'tool.result')[0]?.content).toContain('not found')
  expect(await two.segno.rounds.unknownCalls(LOCAL_OWNER)).toHaveLength(1)
  hold.open()
})

verifies(['REL-2', 'REL-3'], 'a call of an evicted node that is found has its result', async () => {
  const { two, hold, id, requestId } = await evicted(looksUp({ happened: true, output: 'paid' }))
  await two.coordinator.rescue()
  expect((await two.segno.completion(id, requestId)).calls).toMatchObject([{ outcome: 'ok', effect: 'done' }])
  expect(hold.runs).toHaveLength(1)
  hold.open()
})

for (const [effect, runs, outcome] of [
  ['pure', 2, 'ok'],
  ['keyed', 2, 'ok'],
  ['unsafe', 1, 'unknown'],
] as const) {
  verifies(['REL-2', 'REL-3'], `a call of an evicted node that is ${effect} runs ${runs} times in all`, async () => {
    const { two, hold, id, requestId } = await evicted({ effect })
    await two.coordinator.rescue()
    hold.open()
    expect((await two.segno.completion(id, requestId)).calls).toMatchObject([{ outcome }])
    expect(hold.runs).toHaveLength(runs)
    // What is pure may have started before that was stored: nobody needs its key.
    if (effect !== 'pure') expect(new Set(hold.runs.map(({ ctx }) => ctx.idempotencyKey)).size).toBe(1)
  })
}

verifies(
  ['REL-2', 'REL-3'],
  'a call stays in doubt when the node that took it over leaves before it was looked up',
  async () => {
    const looking = Promise.withResolvers<void>()
    let looks = 0
    const { one, two, hold, id, requestId } = await evicted({
      effect: 'verifiable',
      async verify(_, { signal }) {
        looks += 1
        if (looks > 1) return { happened: false }
        looking.resolve()
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
      },
    })
    await two.coordinator.rescue()
    await looking.promise
    one.coordinator.giveUp()
    expect(await two.coordinator.drain(1)).toBe(true)
    await two.store.close()
    one.lease.until = Infinity
    await one.coordinator.rescue()
    expect((await one.segno.completion(id, requestId)).calls).toMatchObject([{ outcome: 'unknown' }])
    expect([hold.runs.length, looks]).toEqual([1, 2])
    expect(said(await one.store.read(id), 'round.resumed')).toMatchObject([{ evicted: true }, { n: 2 }])
  },
)

verifies(
  ['REL-2', 'REL-3'],
  'a call stays in doubt when the node that took it over leaves before it stored that it did',
  async () => {
    const { one, two, hold, id, requestId } = await evicted(looksUp({ happened: false }))
    // It has the session, and no slot for it.
    expect(await two.store.claim(id)).toMatchObject({ kind: 'owned', evictedAt: expect.any(Number) as number })
    await two.store.release(id)
    one.lease.until = Infinity
    one.coordinator.giveUp()
    await one.coordinator.rescue()
    expect((await one.segno.completion(id, requestId)).calls).toMatchObject([{ outcome: 'unknown' }])
    expect(hold.runs).toHaveLength(1)
  },
)
