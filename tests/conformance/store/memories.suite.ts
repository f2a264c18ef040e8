import { describe, expect, test } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import { newId } from '../../../src/lib/id.ts'
import type { MemoryChanges, NewMemory, OutboxEvent, Store, StoredMemory } from '../../../src/store/index.ts'
import type { Subject } from './subject.ts'

const memory = (more: Partial<NewMemory> = {}): NewMemory => ({
  id: newId(),
  tenant: 'acme',
  userId: 'ada',
  content: 'Prefers "short" answers & tea 🌍',
  category: 'preference',
  importance: 5,
  source: 'ai_extraction',
  method: 'tool',
  status: 'active',
  sessionId: 's1',
  eventId: 'e1',
  createdAt: 100,
  ...more,
})

/** As it is stored first. */
const stored = (one: NewMemory): StoredMemory => ({ ...one, updatedAt: one.createdAt, revision: 1 })

const vector = (model = 'm', ...first: number[]): NonNullable<NewMemory['vector']> => ({
  model,
  values: Float32Array.from([...first, 0.1, -0.2, 1 / 3]),
})

const record = (id: string) =>
  auditRecord('key_created', { id: newId(), at: 100, userId: 'root', tenant: 'acme' }, { keyId: id })

const made = ({ id, tenant, userId, createdAt }: NewMemory): OutboxEvent => ({
  id: `made ${id}`,
  type: 'memory.created',
  tenant,
  userId,
  at: createdAt,
  payload: { memoryId: id },
})

export function memorySuite(it: Subject): void {
  const recorded = async (): Promise<unknown[]> =>
    (await it.store.auditPage({ tenant: 'acme' })).items.map(({ metadata }) => metadata.keyId)
  const told = async (): Promise<unknown[]> => (await it.store.outbox(0, 100)).map(({ payload }) => payload['memoryId'])
  const all = async (userId = 'ada'): Promise<readonly StoredMemory[]> =>
    (await it.store.memories({ tenant: 'acme', userId, limit: 1000 })).items

  /** Stores one and those after it, each in place of the one before. */
  async function chain(length: number, more: Partial<NewMemory> = {}): Promise<string[]> {
    const ids: string[] = []
    for (let supersedes: string | undefined; ids.length < length;) {
      const one = memory({ ...more, ...(supersedes !== undefined && { supersedes }) })
      await it.store.putMemory(one)
      ids.push((supersedes = one.id))
    }
    return ids
  }

  describe('a memory', () => {
    test('is found by its id as it was put, also after a restart', async () => {
      const { sessionId: _, eventId: __, ...bare } = memory({ source: 'user', method: 'user', importance: 10 })
      const wished = [memory({ vector: vector() }), bare, memory({ status: 'proposed', supersedes: 'long gone' })]
      for (const one of wished) expect(await it.store.putMemory(one)).toEqual(stored(one))
      const store = await it.reopen()
      for (const one of wished) expect(await store.memory(one.id)).toEqual(stored(one))
      expect(await store.memory('nope')).toBeUndefined()
    })

    test('that is put again with its event and record is stored, told and recorded once, also at the same moment', async () => {
      const [one, other] = [memory(), await it.second()]
      const put = (store: Store, more: Partial<NewMemory>) =>
        store.putMemory({ ...one, ...more }, { outbox: [made(one)], audit: [record(one.id)] })
      const answers = await Promise.all([it.store, other, it.store, other].map((store) => put(store, {})))
      expect(answers).toEqual(answers.map(() => stored(one)))
      expect(await put(it.store, { content: 'other', supersedes: 'x' })).toEqual(stored(one))
      expect([await all(), await told(), await recorded()]).toEqual([[stored(one)], [one.id], [one.id]])
    })

    test('is stored only while the newest one of its user is the one that was looked at', async () => {
      const [other, hers] = [await it.second(), memory({ userId: 'bob' })]
      await it.store.putMemory(hers)
      const put = (store: Store, one: NewMemory, newest: string | null) =>
        store.putMemory(one, { newest, outbox: [made(one)], audit: [record(one.id)] })
      const atOnce = async (newest: string | null): Promise<StoredMemory | undefined> => {
        const wished = Array.from({ length: 6 }, () => memory())
        const answers = await Promise.all(wished.map((one, i) => put(i % 2 ? other : it.store, one, newest)))
        const [first, ...more] = answers.filter((answer) => answer !== undefined)
        expect(more).toEqual([])
        return first
      }
      const first = await atOnce(null)
      const second = await atOnce(first?.id ?? '')
      for (const newest of [null, first?.id ?? '', hers.id, 'nope'])
        expect(await put(it.store, memory({ supersedes: first?.id ?? '' }), newest)).toBeUndefined()
      // It is there already.
      expect(await put(other, memory({ id: first?.id ?? '' }), null)).toEqual(first)
      const ids = [first?.id, second?.id]
      expect([await all(), await told(), await recorded()]).toEqual([[second, first], ids, ids.toReversed()])
      await it.store.deleteMemory(second?.id ?? '')
      expect(await put(it.store, memory(), second?.id ?? '')).toBeUndefined()
      expect(await put(it.store, memory(), first?.id ?? '')).toBeDefined()
    })

    test('is not stored if its event cannot be', async () => {
      const [one, taken] = [memory(), memory()]
      await it.store.putMemory(one, { outbox: [made(one)] })
      const untold = { ...made(taken), type: null as never }
      const extras = { outbox: [made(taken), untold], audit: [record(taken.id)] }
      await expect(it.store.putMemory(taken, extras)).rejects.toThrow()
      expect([await all(), await told(), await recorded()]).toEqual([[stored(one)], [one.id], []])
    })

    test('stands for the one it replaces, which keeps its words', async () => {
      const [one] = await chain(1)
      const next = memory({ supersedes: one ?? '', content: 'Prefers long answers', createdAt: 200 })
      await it.store.putMemory(next)
      const before = await it.store.memory(one ?? '')
      expect(before).toMatchObject({ status: 'replaced', updatedAt: 200, revision: 2, content: memory().content })
      expect(await all()).toEqual([stored(next), before])
    })

    test('replaces none of another user, and none twice', async () => {
      const others = [memory({ userId: 'bob' }), memory({ tenant: 'b' })]
      for (const one of others) await it.store.putMemory(one)
      for (const { id } of others) await it.store.putMemory(memory({ supersedes: id }))
      for (const one of others) expect(await it.store.memory(one.id)).toEqual(stored(one))
      const [one = ''] = await chain(2)
      await it.store.putMemory(memory({ supersedes: one }))
      expect(await it.store.memory(one)).toMatchObject({ status: 'replaced', revision: 2 })
    })
  })

  describe('the list of memories', () => {
    test('has those of one user in pages, newest first', async () => {
      for (const one of [memory({ tenant: 'b' }), memory({ userId: 'bob' })]) await it.store.putMemory(one)
      const wished = Array.from({ length: 5 }, () => memory())
      for (const one of wished) await it.store.putMemory(one)
      const pages: string[][] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = { tenant: 'acme', userId: 'ada', limit: 2, ...(cursor !== '' && { cursor }) }
        const { items, next } = await it.store.memories(query)
        pages.push(items.map(({ id }) => id))
        cursor = next
      }
      const [a, b, c, d, e] = wished.map(({ id }) => id)
      expect(pages).toEqual([[e, d], [c, b], [a]])
      await expect(it.store.memories({ tenant: 'acme', userId: 'ada', cursor: 'nonsense' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    })

    test('has only those of a status, if asked for them', async () => {
      const [first, second] = await chain(2)
      const proposed = memory({ status: 'proposed' })
      await it.store.putMemory(proposed)
      const ids = async (status: StoredMemory['status']): Promise<string[]> =>
        (await it.store.memories({ tenant: 'acme', userId: 'ada', status })).items.map(({ id }) => id)
      expect([await ids('active'), await ids('replaced'), await ids('proposed')]).toEqual([
        [second],
        [first],
        [proposed.id],
      ])
    })
  })

  describe('a change of a memory', () => {
    const changes: [what: string, changes: MemoryChanges][] = [
      ['that it is kept', { status: 'active' }],
      ['what it is about', { category: 'project', importance: 9 }],
      ['nothing', {}],
    ]
    for (const [what, given] of changes) {
      test(`changes what is given, its time and its revision, and nothing else: ${what}`, async () => {
        const [one, other] = [memory({ status: 'proposed', vector: vector() }), memory()]
        for (const each of [one, other]) await it.store.putMemory(each)
        const changed = { ...stored(one), ...given, updatedAt: 300, revision: 2 }
        expect(await it.store.changeMemory(one.id, 1, given, 300, [record('kept')])).toEqual(changed)
        expect([await it.store.memory(one.id), await it.store.memory(other.id)]).toEqual([changed, stored(other)])
        expect(await recorded()).toEqual(['kept'])
      })
    }

    test('is none that anybody sees where only its vector is put', async () => {
      const [one, other] = [memory(), memory({ vector: vector() })]
      for (const each of [one, other]) await it.store.putMemory(each)
      for (const { id } of [one, other, { id: 'nope' }]) await it.store.putMemoryVector(id, vector('other', 0.5))
      const found = await Promise.all([one, other].map(({ id }) => it.store.memory(id)))
      expect(found).toEqual([one, other].map((each) => ({ ...stored(each), vector: vector('other', 0.5) })))
    })

    test('that has not seen the last one changes and records nothing', async () => {
      const one = memory()
      await it.store.putMemory(one)
      const seen = await it.store.changeMemory(one.id, 1, { importance: 6 }, 200)
      expect(await it.store.changeMemory(one.id, 1, { importance: 7 }, 300, [record('stale')])).toBeUndefined()
      expect(await it.store.changeMemory('nope', 1, { importance: 7 }, 300, [record('absent')])).toBeUndefined()
      expect([await it.store.memory(one.id), await recorded()]).toEqual([seen, []])
    })

    test('succeeds for one of several that have seen the same', async () => {
      const [one, stores] = [memory(), [it.store, await it.second()]]
      await it.store.putMemory(one)
      const changed = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (stores[i % 2] ?? it.store).changeMemory(one.id, 1, { importance: i + 1 }, 300),
        ),
      )
      expect(changed.filter((each) => each !== undefined)).toEqual([await it.store.memory(one.id)])
    })
  })

  describe('erasing', () => {
    test('a memory erases all that it replaced, and nothing else', async () => {
      const [ids, kept] = [await chain(3), await chain(2)]
      const [first = '', second = '', third = ''] = ids
      const later = memory({ supersedes: third })
      await it.store.putMemory(later)
      expect(await it.store.deleteMemory(third, [record('gone')])).toBe(true)
      expect((await all()).map(({ id }) => id)).toEqual([later.id, ...kept.toReversed()])
      for (const id of [first, second, third]) expect(await it.store.memory(id)).toBeUndefined()
      expect(await it.store.deleteMemory(third, [record('again')])).toBe(false)
      expect(await recorded()).toEqual(['gone'])
    })

    test('a memory leaves those of others, and ends where they replaced each other in a circle', async () => {
      const hers = memory({ userId: 'bob' })
      await it.store.putMemory(hers)
      const mine = memory({ supersedes: hers.id })
      await it.store.putMemory(mine)
      await it.store.deleteMemory(mine.id)
      expect(await all('bob')).toEqual([stored(hers)])
      for (const [id, supersedes] of [
        ['a', 'b'],
        ['b', 'a'],
      ])
        await it.store.putMemory(memory({ id: id ?? '', supersedes: supersedes ?? '' }))
      expect(await it.store.deleteMemory('a')).toBe(true)
      expect(await all()).toEqual([])
    })

    test('all memories of a user says how many there were, and erases what was told of them', async () => {
      const [mine, replacing] = [memory(), memory()]
      const others = [memory({ userId: 'bob' }), memory({ tenant: 'b' })]
      for (const one of [mine, { ...replacing, supersedes: mine.id }, ...others])
        await it.store.putMemory(one, { outbox: [made(one)] })
      expect(await it.store.forgetMemories('acme', 'ada', [record('forgot')])).toBe(2)
      expect([await all(), await told(), await recorded()]).toEqual([[], others.map(({ id }) => id), ['forgot']])
      for (const one of others) expect(await it.store.memory(one.id)).toEqual(stored(one))
      expect(await it.store.forgetMemories('acme', 'ada')).toBe(0)
    })
  })

  test('texts of memories are those of one user that still exist, whatever their status', async () => {
    const wished = [
      memory({ content: 'one' }),
      memory({ content: 'two', status: 'proposed' }),
      memory({ content: 'three' }),
    ]
    for (const one of [...wished, memory({ id: 'hers', userId: 'bob' }), memory({ id: 'theirs', tenant: 'b' })])
      await it.store.putMemory(one)
    const [a = '', b = '', c = ''] = wished.map(({ id }) => id)
    await it.store.deleteMemory(c)
    const texts = await it.store.memoryTexts('acme', 'ada', [a, b, c, 'hers', 'theirs', 'nope'])
    expect(texts).toEqual(
      new Map([
        [a, 'one'],
        [b, 'two'],
      ]),
    )
    expect(await it.store.memoryTexts('acme', 'ada', [])).toEqual(new Map())
  })
}
