import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { StoredPreferences } from '../../../src/contract/preferences.ts'
import { createMemories, type Memories } from '../../../src/knowledge/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/id.ts'
import { keyOf } from '../../../src/lib/key-of.ts'
import type { Store } from '../../../src/store/index.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { tempFolder } from '../workspace/support.ts'
import { verifies } from '../../support/verifies.ts'
import { contentsOf, memoriesOf, rememberingSegno } from './support.ts'

const preferences = async (tenant: string, userId: string): Promise<StoredPreferences> => {
  return { tenant, userId, version: 1, salt: '', preferences: { allowMemory: true }, updatedAt: 0 }
}

/** Memories as one node has them. */
const memoriesOn = (store: Store, most: number, embed: Embed) =>
  createMemories(store, {
    clock: systemClock,
    most,
    redact: (text) => text,
    embedMs: 60_000,
    preferences,
    embedder: { key: 'slow', embed },
  })
type Embed = () => Promise<Float32Array[]>

/** Embeds nothing before it is told to. */
function slowly() {
  const embedding = Promise.withResolvers<Float32Array[]>()
  const asked = Promise.withResolvers<void>()
  const embed: Embed = () => {
    asked.resolve()
    return embedding.promise
  }
  return { embed, asked: asked.promise, goOn: () => embedding.resolve([new Float32Array([1])]) }
}

verifies('GOV-18', 'of many changes of one memory at once only one is made', async () => {
  const it = await rememberingSegno()
  const { memories } = it.segno
  const { id } = await memories.add(LOCAL_OWNER, { content: 'Likes tea' })
  const drinks = ['milk', 'water', 'coffee', 'juice']
  const edits = drinks.map(async (drink) => memories.change(LOCAL_OWNER, id, { content: `Drinks only ${drink}` }))
  const done = await Promise.allSettled(edits)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(done.filter(({ status }) => status === 'rejected')).toMatchObject(
    Array.from({ length: 3 }, () => ({ reason: { code: 'CONFLICT' } })),
  )
  expect((await memoriesOf(it)).map(({ status }) => status)).toEqual(['replaced', 'active'])
})

verifies('GOV-18', 'what foreign text proposes leaves room for what the user wants remembered', async () => {
  const store = await openStoreOf(tempFolder())
  const memories = memoriesOn(store, 10, async () => [])
  const { tenant, id: userId } = LOCAL_OWNER
  const said = { tenant, userId, method: 'tag', isTainted: true, at: Date.now() } as const
  const propose = async (content: string) => memories.suggest({ ...said, id: newId(), content })
  await propose('Invoices go to Mallory')
  await propose('Mallory is a friend')
  await expect(propose('Mallory may do all')).rejects.toMatchObject({ code: 'CONFLICT' })
  for (const number of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
    await memories.add(LOCAL_OWNER, { content: `Has ${number} cats` })
  await store.close()
})

/** Nodes of which none stores anything before all have looked at what there is. */
function nodesOf(store: Store, nodes: number, most = 500): Memories[] {
  const all = Promise.withResolvers<void>()
  let asked = 0
  const embed: Embed = async () => {
    if (++asked === nodes) all.resolve()
    await all.promise
    return [new Float32Array([1])]
  }
  return Array.from({ length: nodes }, () => memoriesOn(store, most, embed))
}

verifies('GOV-18', 'the same noted on several nodes at once is one memory', async () => {
  const store = await openStoreOf(tempFolder())
  const { tenant, id: userId } = LOCAL_OWNER
  const said = { tenant, userId, method: 'tag', isTainted: false, content: 'Likes tea' } as const
  const noting = nodesOf(store, 3).map((one) => one.suggest({ ...said, id: newId(), at: Date.now() }))
  const noted = await Promise.all(noting)
  expect(noted.filter((one) => one?.known)).toHaveLength(2)
  expect(new Set(noted.map((one) => one?.memory.id)).size).toBe(1)
  expect((await store.memories({ tenant, userId })).items).toMatchObject([{ content: 'Likes tea', revision: 3 }])
  await store.close()
})

verifies('GOV-18', 'of several nodes that replace one memory at once only one does', async () => {
  const store = await openStoreOf(tempFolder())
  const { id } = await memoriesOn(store, 500, async () => []).add(LOCAL_OWNER, { content: 'Likes tea' })
  const editing = nodesOf(store, 3).map((one, i) => one.change(LOCAL_OWNER, id, { content: `Drinks ${i} coffees` }))
  const done = await Promise.allSettled(editing)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = {
    reason: { code: 'CONFLICT', message: expect.stringContaining('changed this memory meanwhile') as string },
  }
  expect(done.filter(({ status }) => status === 'rejected')).toMatchObject([refused, refused])
  const { items } = await store.memories({ tenant: LOCAL_OWNER.tenant, userId: LOCAL_OWNER.id })
  expect(items.map(({ status }) => status)).toEqual(['active', 'replaced'])
  await store.close()
})

verifies('GOV-18', 'several nodes at once remember all that is said, and no more than the limit', async () => {
  const store = await openStoreOf(tempFolder())
  const noting = nodesOf(store, 4, 14).flatMap((one, i) =>
    Array.from({ length: 5 }, async (_, j) => one.add(LOCAL_OWNER, { content: `Fact ${i}${j} of ${j}${i}` })),
  )
  const done = await Promise.allSettled(noting)
  const refused = done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  expect(refused).toHaveLength(6)
  expect(new Set(refused.map((reason) => /limit MEMORIES/.test(reason)))).toEqual(new Set([true]))
  const { tenant, id: userId } = LOCAL_OWNER
  expect((await store.memories({ tenant, userId, limit: 50 })).items).toHaveLength(14)
  await store.close()
})

verifies('GOV-18', 'what was being noted when all was forgotten is forgotten too, and nothing follows', async () => {
  const store = await openStoreOf(tempFolder())
  const slow = slowly()
  const memories = memoriesOn(store, 500, slow.embed)
  const { tenant, id: userId } = LOCAL_OWNER
  const said = { tenant, userId, method: 'tool', isTainted: false, at: Date.now() - 1000 } as const
  const first = memories.suggest({ ...said, id: newId(), content: 'Likes tea' })
  await slow.asked
  const second = memories.suggest({ ...said, id: newId(), content: 'Has a dog' })
  const forgotten = memories.forget(LOCAL_OWNER)
  await expect.poll(() => store.values(`memories-forgotten ${keyOf(tenant, userId)}`)).toHaveProperty('at')
  slow.goOn()
  expect((await first)?.memory.content).toBe('Likes tea')
  expect(await second).toBeUndefined()
  await forgotten
  expect(contentsOf((await memories.list(LOCAL_OWNER)).items)).toEqual([])
  await store.close()
})

verifies('GOV-18', 'what another node was noting when all was forgotten is forgotten too', async () => {
  const store = await openStoreOf(tempFolder())
  const slow = slowly()
  const [one, other] = [memoriesOn(store, 500, slow.embed), memoriesOn(store, 500, async () => [])]
  const { tenant, id: userId } = LOCAL_OWNER
  const said = { tenant, userId, method: 'tool', isTainted: false, at: Date.now() - 1000 } as const
  const noting = one.suggest({ ...said, id: newId(), content: 'Likes tea' })
  await slow.asked
  await other.forget(LOCAL_OWNER)
  slow.goOn()
  await noting
  expect(contentsOf((await one.list(LOCAL_OWNER)).items)).toEqual([])
  await store.close()
})
