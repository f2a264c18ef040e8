import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { newId } from '../../../src/lib/id.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { twoNodes } from './support/two-nodes.ts'

/** Two nodes with one slot each; that of the first is taken. */
async function stage() {
  const hold = gateTool('hold', { effect: 'unsafe' })
  const turns = [{ calls: [{ name: 'hold' }] }, { text: 'There.' }]
  const nodes = await twoNodes({ model: { scenarios: [{ when: '^hold', turns }] }, tools: [hold] }, 1)
  return { ...nodes, hold, ...(await nodes.holding(hold.entered)) }
}

verifies(
  ['COO-4', 'REL-7'],
  'what waits for a slot is let go when another node has one, and answered there',
  async () => {
    const { one, two, free, hold, id, requestId } = await stage()
    free['one'] = 1
    const { id: other } = await one.sessions.create(LOCAL_OWNER)
    const sent = await one.rounds.send(LOCAL_OWNER, other, 'hello')
    expect(sent.state).toBe('queued')
    await two.coordinator.rescue()
    expect(await one.segno.completion(other, sent.requestId)).toMatchObject({ content: 'Echo: hello' })
    expect([one.coordinator.stats().live, two.coordinator.stats().live]).toEqual([1, 1])
    hold.open()
    expect(await two.segno.completion(id, requestId)).toMatchObject({ content: 'There.' })
  },
)

verifies('COO-4', 'what waits for a slot stays in line where nobody else has one, or only for others', async () => {
  const { one, free, hold } = await stage()
  const sessions = await Promise.all([1, 2, 3].map(() => one.sessions.create(LOCAL_OWNER)))
  for (const { id } of sessions) await one.rounds.send(LOCAL_OWNER, id, 'hello')
  await one.coordinator.rescue()
  expect(one.coordinator.stats()).toMatchObject({ live: 4, queued: 3 })
  free['one'] = 2
  // What was let go a moment ago may not be known there yet: that is no reason to let go of more.
  for (let look = 0; look < 3; look++) await one.coordinator.rescue()
  expect(one.coordinator.stats()).toMatchObject({ live: 2, queued: 1 })
  const [, ...last] = sessions
  expect(await one.store.unfinished()).toEqual(expect.arrayContaining(last.map(({ id }) => id)))
  hold.open()
})

verifies('REL-7', 'a node takes no more of what nobody owns than it has slots for', async () => {
  const { one, two } = await twoNodes({}, 1)
  const sessions = await Promise.all([1, 2, 3].map(() => one.sessions.create(LOCAL_OWNER)))
  for (const { id: sessionId } of sessions) {
    const id = newId()
    const body = { kind: 'archive', by: 'owner' } as const
    await one.store.putInput({ id, sessionId, key: id, at: Date.now(), body })
  }
  await two.coordinator.rescue()
  expect(two.coordinator.stats().live).toBe(1)
  for (let look = 0; look < 2; look++) await two.coordinator.rescue()
  await Promise.all(sessions.map(({ id }) => two.coordinator.settled(id, true)))
  const all = await Promise.all(sessions.map(({ id }) => two.store.session(id)))
  expect(all.map((session) => session?.archived)).toEqual([true, true, true])
})
