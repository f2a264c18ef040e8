import { describe, expect, test } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import type { Chunk, ChunkRef, Document } from '../../../src/contract/knowledge.ts'
import { newId } from '../../../src/lib/id.ts'
import { loopStep } from '../../../src/lib/loop-step.ts'
import {
  chunkKey,
  type Claim,
  type DocumentChanges,
  type NewDocument,
  type OutboxEvent,
  type SearchQuery,
  type Store,
} from '../../../src/store/index.ts'
import type { Subject } from './subject.ts'

const draft = (more: Partial<NewDocument> = {}): NewDocument => ({
  id: newId(),
  tenant: 'acme',
  workspaceId: 'sales',
  title: 'The "house" & rules 🌍',
  contentType: 'text/markdown',
  author: 'ada',
  hash: newId(),
  bytes: 120,
  createdAt: 100,
  ...more,
})

const said = (...texts: string[]): Chunk[] => texts.map((text, i) => ({ place: `Part ${i + 1}`, text }))
const HOLIDAYS = said('Holidays are thirty days.', 'Illness is reported by telephone.')

/** As it is stored first. */
const stored = (document: NewDocument, chunks = HOLIDAYS.length): Document => ({
  ...document,
  version: 1,
  status: 'draft',
  editors: [],
  chunks,
  updatedAt: document.createdAt,
  revision: 1,
})

const content = (chunks: Chunk[], author = 'ada') => ({
  chunks,
  contentType: 'text/plain',
  hash: newId(),
  bytes: 7,
  author,
})

const claimFor = (id: string): Claim => ({ key: 'once', hash: `of ${id}`, result: { id } })
const record = (id: string) =>
  auditRecord('key_created', { id: newId(), at: 100, userId: 'root', tenant: 'acme' }, { keyId: id })
const told = (id: string): OutboxEvent => ({
  id: newId(),
  type: 'knowledge.published',
  tenant: 'acme',
  at: 100,
  payload: { documentId: id },
})

async function put(store: Store, document: NewDocument, chunks = HOLIDAYS): Promise<Document> {
  const answer = await store.putDocument(document, chunks)
  if ('kind' in answer) throw new Error('it was repeated')
  return answer
}

/** One that somebody approved, at revision 2. */
async function approved(store: Store, more: Partial<NewDocument> = {}, chunks = HOLIDAYS): Promise<Document> {
  const { id } = await put(store, draft(more), chunks)
  const changed = await store.changeDocument(id, 1, { status: 'approved', reviewer: 'bob' }, 200)
  if (!changed) throw new Error('it was not approved')
  return changed
}

/** One that is found, at revision 3. */
async function published(store: Store, chunks: Chunk[] = HOLIDAYS, more: Partial<NewDocument> = {}): Promise<Document> {
  const { id } = await approved(store, more, chunks)
  const document = await store.publishDocument(id, 2, { at: 300 })
  if (!document) throw new Error('it was not published')
  return document
}

/** Approves and publishes the version that is a draft. */
async function publishNext(store: Store, { id, revision }: Document): Promise<Document | undefined> {
  await store.changeDocument(id, revision, { status: 'approved' }, 400)
  return store.publishDocument(id, revision + 1, { at: 500 })
}

const MODEL = 'words:3'
/** The direction of a text: how much of it is about holidays, illness and anything else. */
function direction(text: string): Float32Array {
  const about = [/holiday/i, /ill/i, /./].map((word, i) => (word.test(text) ? [4, 4, 1][i] : 0) as number)
  const length = Math.hypot(...about)
  return Float32Array.from(about, (value) => value / length)
}

async function embedAll(store: Store, model = MODEL): Promise<void> {
  const waiting = await store.unembedded(model, 10_000)
  await store.putVectors(
    model,
    waiting.map((chunk) => ({ ...chunk, vector: direction(chunk.text) })),
  )
}

export function knowledgeSuite(it: Subject): void {
  const recorded = async (): Promise<unknown[]> =>
    (await it.store.auditPage({ tenant: 'acme' })).items.map(({ metadata }) => metadata.keyId)
  const outbox = async (): Promise<unknown[]> =>
    (await it.store.outbox(0, 100)).map(({ payload }) => payload['documentId'])
  const all = async (): Promise<Document[]> => (await it.store.documents({ tenant: 'acme', limit: 1000 })).items
  const texts = async ({ id }: Pick<Document, 'id'>, version = 1): Promise<string[]> =>
    (await it.store.chunks(id, version, { limit: 10_000 })).items.map(({ text }) => text)

  const search = (words: string, more: Partial<SearchQuery> = {}) =>
    it.store.search({ tenant: 'acme', workspaceIds: ['sales', 'system'], words, limit: 10, ...more })
  const byWords = async (words: string, more: Partial<SearchQuery> = {}): Promise<string[]> =>
    (await search(words, more)).byWords.map(({ text }) => text)
  const byMeaning = async (of: string, more: Partial<SearchQuery> = {}): Promise<string[]> => {
    const found = await search('', { vector: { model: MODEL, values: direction(of) }, ...more })
    return found.byMeaning.map(({ text }) => text)
  }

  const compares = (what: string, check: () => Promise<void>): void =>
    test(what, async ({ skip }) => {
      skip(!it.store.hasVectors, 'this database compares no vectors')
      await check()
    })

  describe('a document', () => {
    test('is a draft when it is put, with its chunks, also after a restart', async () => {
      const one = draft({ source: 'handbook/rules.md' })
      expect(await it.store.putDocument(one, HOLIDAYS)).toEqual(stored(one))
      expect(await it.store.document(one.id)).toEqual(stored(one))
      expect(await it.store.document('nope')).toBeUndefined()
      const reopened = await it.reopen()
      expect(await reopened.document(one.id)).toEqual(stored(one))
      expect((await reopened.chunks(one.id, 1)).items).toEqual(HOLIDAYS.map((chunk, i) => ({ ...chunk, chunk: i })))
    })

    test('has its chunks in pages, in their order', async () => {
      const many = said(...Array.from({ length: 500 }, (_, i) => `Rule ${i}`))
      const { id } = await put(it.store, draft(), many)
      const seen: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await it.store.chunks(id, 1, { limit: 200, ...(cursor !== undefined && { cursor }) })
        seen.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      expect(seen).toEqual(many.map((chunk, i) => ({ ...chunk, chunk: i })))
      expect((await it.store.chunks(id, 2)).items).toEqual([])
    })

    test('keeps any text as it is, but for what no text column can hold', async () => {
      const odd = said('a \0 b', '\ud800 alone', '😀 "quoted" \'; DROP TABLE chunks; --', 'x'.repeat(1_000_000))
      const one = await put(it.store, draft({ title: 'a\0b' }), odd)
      expect(one.title).toBe('a\uFFFDb')
      expect(await texts(one)).toEqual(['a \uFFFD b', '\uFFFD alone', odd[2]?.text, odd[3]?.text])
    })

    test('is the only one from its source in its workspace', async () => {
      const source = 'a.md'
      const one = await put(it.store, draft({ source }))
      await expect(it.store.putDocument(draft({ source }), HOLIDAYS)).rejects.toMatchObject({ code: 'CONFLICT' })
      await put(it.store, draft({ source, workspaceId: 'b' }))
      await put(it.store, draft({ source, tenant: 'b' }))
      expect(await it.store.documentFrom('acme', 'sales', source)).toEqual(one)
      expect(await it.store.documentFrom('acme', 'sales', 'b.md')).toBeUndefined()
      expect(await all()).toHaveLength(2)
    })

    test('is the only one with its content in its workspace, but for those from a source', async () => {
      const [{ hash }, other] = [draft(), await it.second()]
      const wished = Array.from({ length: 6 }, () => draft({ hash }))
      const putting = wished.map((one, i) => (i % 2 ? other : it.store).putDocument(one, HOLIDAYS))
      const done = await Promise.allSettled(putting)
      const one = done.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))[0] as Document
      expect(done.filter(({ status }) => status === 'rejected')).toMatchObject(
        Array.from({ length: 5 }, () => ({ reason: { code: 'CONFLICT' } })),
      )
      expect([await all(), await it.store.embedded(MODEL)]).toEqual([[one], { done: 0, all: HOLIDAYS.length }])
      for (const more of [{ workspaceId: 'b' }, { tenant: 'b' }, { source: 'a.md' }, { source: 'b.md' }])
        await put(it.store, draft({ hash, ...more }))
      const changed = await put(it.store, draft())
      const change = { content: { ...content(said('Other.')), hash } }
      await expect(it.store.changeDocument(changed.id, 1, change, 200)).rejects.toMatchObject({ code: 'CONFLICT' })
      expect([await it.store.document(changed.id), await texts(changed)]).toEqual([
        changed,
        HOLIDAYS.map(({ text }) => text),
      ])
      await it.store.changeDocument(one.id, 1, { content: content(said('New.')) }, 200)
      expect(await it.store.changeDocument(changed.id, 1, change, 200)).toMatchObject({ hash, revision: 2 })
    })

    test('is found by the content of its newest version, with at most one other', async () => {
      const [one, next] = [await published(it.store), content(said('New.'))]
      const found = async (hash: string, workspaceId = 'sales') => it.store.documentsWith('acme', workspaceId, hash)
      expect(await found(one.hash)).toEqual([one])
      expect([await found(one.hash, 'b'), await it.store.documentsWith('b', 'sales', one.hash)]).toEqual([[], []])
      const changed = await it.store.changeDocument(one.id, 3, { content: next }, 400)
      expect([await found(one.hash), await found(next.hash)]).toEqual([[], [changed]])
      for (const source of ['a.md', 'b.md']) await put(it.store, draft({ hash: next.hash, source }))
      expect(await found(next.hash)).toHaveLength(2)
    })

    test('is put under a claim once and recorded once, also when it is asked for at the same moment', async () => {
      const wished = [draft(), draft(), draft()]
      const answers = await Promise.all(
        wished.map((one) => it.store.putDocument(one, HOLIDAYS, { claim: claimFor(one.id), audit: [record(one.id)] })),
      )
      const first = answers.find((answer) => !('kind' in answer)) as Document
      const repeated = { kind: 'repeated', claim: claimFor(first.id) }
      expect(answers.filter((answer) => 'kind' in answer)).toEqual([repeated, repeated])
      expect(await it.store.putDocument(draft(), HOLIDAYS, { claim: claimFor('later') })).toMatchObject({
        kind: 'repeated',
      })
      expect(await all()).toEqual([first])
      expect(await recorded()).toEqual([first.id])
      expect(await it.store.embedded(MODEL)).toEqual({ done: 0, all: HOLIDAYS.length })
    })
  })

  describe('the list of documents', () => {
    test('has those of a tenant in pages, newest first', async () => {
      const wished = Array.from({ length: 5 }, () => draft())
      for (const one of [draft({ tenant: 'b' }), ...wished]) await it.store.putDocument(one, HOLIDAYS)
      const first = await it.store.documents({ tenant: 'acme', limit: 2 })
      const second = await it.store.documents({ tenant: 'acme', limit: 2, cursor: first.next ?? '' })
      const third = await it.store.documents({ tenant: 'acme', limit: 2, cursor: second.next ?? '' })
      const [a, b, c, d, e] = wished.map(({ id }) => id)
      expect([first, second, third].map(({ items }) => items.map(({ id }) => id))).toEqual([[e, d], [c, b], [a]])
      expect(third.next).toBeNull()
      await expect(it.store.documents({ tenant: 'acme', cursor: 'nonsense' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    })

    test('has only those of a workspace or in a state, if asked for them', async () => {
      const [here, there] = [await put(it.store, draft()), await put(it.store, draft({ workspaceId: 'b' }))]
      const ready = await approved(it.store)
      const items = async (query: object) => (await it.store.documents({ tenant: 'acme', ...query })).items
      expect(await items({ workspaceId: 'sales' })).toEqual([ready, here])
      expect(await items({ status: 'draft' })).toEqual([there, here])
      expect(await items({ workspaceId: 'b', status: 'approved' })).toEqual([])
    })
  })

  describe('a change of a document', () => {
    const changes: [what: string, changes: DocumentChanges, to: Partial<Document>][] = [
      ['its title', { title: 'Other', editors: ['eve', 'bob'] }, {}],
      ['its status', { status: 'pending_review' }, {}],
      ['who approved it', { reviewer: 'bob', selfApproved: true, status: 'approved' }, { selfApproved: true }],
      ['why it was rejected', { reason: 'too "long"', status: 'draft' }, {}],
      ['nothing', {}, {}],
    ]
    for (const [what, given, to] of changes) {
      test(`changes what is given, its time and its revision, and nothing else: ${what}`, async () => {
        const [one, other] = [await put(it.store, draft()), await put(it.store, draft())]
        const changed = { ...one, ...given, ...to, updatedAt: 300, revision: 2 }
        expect(await it.store.changeDocument(one.id, 1, given, 300)).toEqual(changed)
        expect([await it.store.document(one.id), await it.store.document(other.id)]).toEqual([changed, other])
        expect(await texts(one)).toEqual(HOLIDAYS.map(({ text }) => text))
      })
    }

    test('removes what it sets to null or false', async () => {
      const one = await approved(it.store)
      const { reviewer: _, ...plain } = one
      const removed = await it.store.changeDocument(one.id, 2, { reviewer: null, selfApproved: false }, 300)
      expect(removed).toEqual({ ...plain, updatedAt: 300, revision: 3 })
    })

    test('overwrites a version that was never published', async () => {
      const one = await put(it.store, draft())
      const next = content(said('Short.'))
      const changed = await it.store.changeDocument(one.id, 1, { content: next, editors: ['bob'] }, 300)
      const { chunks: _, author: __, ...given } = next
      expect(changed).toEqual({ ...one, ...given, chunks: 1, editors: ['bob'], updatedAt: 300, revision: 2 })
      expect(await texts(one)).toEqual(['Short.'])
      expect(await it.store.embedded(MODEL)).toEqual({ done: 0, all: 1 })
    })

    test('begins the next version of one that is published, which stays as it is', async () => {
      const one = await published(it.store)
      const changed = await it.store.changeDocument(one.id, 3, { content: content(said('New.'), 'eve') }, 400)
      expect(changed).toMatchObject({ version: 2, status: 'draft', author: 'eve', editors: [], publishedVersion: 1 })
      expect(changed).not.toHaveProperty('reviewer')
      expect([await texts(one, 1), await texts(one, 2)]).toEqual([HOLIDAYS.map(({ text }) => text), ['New.']])
      expect(await byWords('holidays')).toEqual(['Holidays are thirty days.'])
      expect(await byWords('new')).toEqual([])
    })

    test('that has not seen the last one changes, records and tells nothing', async () => {
      const one = await put(it.store, draft())
      const seen = await it.store.changeDocument(one.id, 1, { title: 'b' }, 200, { audit: [record('seen')] })
      const stale = { audit: [record('stale')], outbox: [told('stale')] }
      expect(await it.store.changeDocument(one.id, 1, { title: 'c' }, 300, stale)).toBeUndefined()
      expect(await it.store.changeDocument(one.id, 1, { content: content(said('c')) }, 300, stale)).toBeUndefined()
      expect(await it.store.changeDocument('nope', 1, { title: 'c' }, 300, stale)).toBeUndefined()
      expect(await it.store.document(one.id)).toEqual(seen)
      expect(await texts(one)).toEqual(HOLIDAYS.map(({ text }) => text))
      expect([await recorded(), await outbox()]).toEqual([['seen'], []])
    })

    test('succeeds for one of several that have seen the same, with its words', async () => {
      const [one, stores] = [await put(it.store, draft()), [it.store, await it.second()]]
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => {
          const changes = { title: `title ${i}`, content: content(said(`text ${i}`)) }
          return (stores[i % 2] ?? it.store).changeDocument(one.id, 1, changes, 300)
        }),
      )
      const changed = answers.filter((answer) => answer !== undefined)
      expect(changed).toEqual([await it.store.document(one.id)])
      expect(await texts(one)).toEqual([changed[0]?.title.replace('title', 'text')])
      expect(await it.store.embedded(MODEL)).toEqual({ done: 0, all: 1 })
    })
  })

  describe('publishing a document', () => {
    test('makes its newest version the one that is found, recorded and told with it', async () => {
      const one = await approved(it.store)
      expect([await it.store.hasPublished('acme'), await byWords('holidays')]).toEqual([false, []])
      const extras = { audit: [record('published')], outbox: [told(one.id)] }
      const document = await it.store.publishDocument(one.id, 2, { at: 300, reason: 'checked' }, extras)
      expect(document).toEqual({
        ...one,
        status: 'published',
        publishedVersion: 1,
        reason: 'checked',
        updatedAt: 300,
        publishedAt: 300,
        revision: 3,
      })
      expect(await byWords('holidays')).toEqual(['Holidays are thirty days.'])
      expect([await it.store.hasPublished('acme'), await it.store.hasPublished('b')]).toEqual([true, false])
      expect([await recorded(), await outbox()]).toEqual([['published'], [one.id]])
      await it.reopen()
      expect(await byWords('holidays')).toEqual(['Holidays are thirty days.'])
    })

    test('replaces the version before it, which is found until then and can be read for ever', async () => {
      const one = await published(it.store, said('Holidays are thirty days.'))
      const next = await it.store.changeDocument(one.id, 3, { content: content(said('Holidays are forty days.')) }, 400)
      expect(await byWords('holidays')).toEqual(['Holidays are thirty days.'])
      await publishNext(it.store, next as Document)
      expect(await byWords('holidays')).toEqual(['Holidays are forty days.'])
      expect(await texts(one, 1)).toEqual(['Holidays are thirty days.'])
      await it.reopen()
      expect(await byWords('holidays thirty')).toEqual(['Holidays are forty days.'])
    })

    test('never shows both versions, or none, to those who search meanwhile', async () => {
      const old = said(...Array.from({ length: 20 }, (_, i) => `Holidays of old, ${i}`))
      const fresh = said(...Array.from({ length: 20 }, (_, i) => `Holidays anew, ${i}`))
      const one = await published(it.store, old)
      const next = await it.store.changeDocument(one.id, 3, { content: content(fresh) }, 400)
      const publishing = publishNext(it.store, next as Document)
      const goesOn = (): Promise<boolean> => Promise.race([publishing.then(() => false), loopStep().then(() => true)])
      while (await goesOn()) {
        const found = await byWords('holidays')
        expect(new Set(found.map((text) => text.includes('anew'))).size).toBe(1)
      }
      expect((await byWords('holidays')).every((text) => text.includes('anew'))).toBe(true)
    })

    test('that was changed meanwhile, was never approved or is absent changes, records and tells nothing', async () => {
      const stale = await approved(it.store)
      const written = await put(it.store, draft())
      const sent = await put(it.store, draft())
      await it.store.changeDocument(sent.id, 1, { status: 'pending_review' }, 200)
      const before = await all()
      const wished: [id: string, revision: number][] = [
        [stale.id, 1],
        [stale.id, 3],
        [written.id, 1],
        [sent.id, 2],
        ['nope', 1],
      ]
      for (const [id, revision] of wished) {
        const extras = { audit: [record(id)], outbox: [told(id)] }
        expect(await it.store.publishDocument(id, revision, { at: 400 }, extras)).toBeUndefined()
      }
      expect([await all(), await recorded(), await outbox()]).toEqual([before, [], []])
      expect(await byWords('holidays')).toEqual([])
    })

    test('succeeds for one of several that have seen the same', async () => {
      const [one, stores] = [await approved(it.store), [it.store, await it.second()]]
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          (stores[i % 2] ?? it.store).publishDocument(one.id, 2, { at: 300 + i }, { outbox: [told(one.id)] }),
        ),
      )
      expect(answers.filter((answer) => answer !== undefined)).toEqual([await it.store.document(one.id)])
      expect(await outbox()).toEqual([one.id])
      expect(await byWords('holidays')).toEqual(['Holidays are thirty days.'])
    })
  })

  test('a document that is archived is not found, and is found again when it is published again', async () => {
    const one = await published(it.store)
    const archived = await it.store.changeDocument(one.id, 3, { status: 'archived', reason: 'old' }, 400)
    const { publishedVersion: _, ...rest } = one
    expect(archived).toEqual({ ...rest, status: 'archived', reason: 'old', updatedAt: 400, revision: 4 })
    expect([await byWords('holidays'), await it.store.hasPublished('acme')]).toEqual([[], false])
    await it.store.publishDocument(one.id, 4, { at: 500 })
    expect(await byWords('holidays')).toEqual(['Holidays are thirty days.'])
  })

  describe('deleting a document', () => {
    test('erases all its versions and vectors, and is recorded', async () => {
      const [one, other] = [await published(it.store), await published(it.store, said('Holidays of others.'))]
      await it.store.changeDocument(one.id, 3, { content: content(said('Holidays anew.')) }, 400)
      await embedAll(it.store)
      expect(await it.store.deleteDocument(one.id, [record('deleted')])).toBe(true)
      expect([await it.store.document(one.id), await texts(one, 1), await texts(one, 2)]).toEqual([undefined, [], []])
      expect(await byWords('holidays')).toEqual(['Holidays of others.'])
      expect(await it.store.passages('acme', [{ documentId: one.id, version: 1, chunk: 0 }])).toEqual(new Map())
      expect(await it.store.embedded(MODEL)).toEqual({ done: 1, all: 1 })
      expect(await recorded()).toEqual(['deleted'])
      expect(await all()).toEqual([other])
      await it.reopen()
      expect(await byWords('holidays')).toEqual(['Holidays of others.'])
    })

    test('that is absent, or deleted already, says so and records nothing', async () => {
      const one = await published(it.store)
      const answers = await Promise.all([it.store.deleteDocument(one.id), it.store.deleteDocument(one.id)])
      expect(answers.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true])
      expect(await it.store.deleteDocument('nope', [record('nope')])).toBe(false)
      expect(await recorded()).toEqual([])
    })

    test('frees its source for another one', async () => {
      const source = 'a.md'
      const one = await put(it.store, draft({ source }))
      await it.store.deleteDocument(one.id)
      const other = await put(it.store, draft({ source }))
      expect(await it.store.documentFrom('acme', 'sales', source)).toEqual(other)
    })
  })

  describe('passages', () => {
    test('are read by reference, of any version, and only those of the tenant', async () => {
      const one = await published(it.store)
      const foreign = await published(it.store, HOLIDAYS, { tenant: 'b' })
      await it.store.changeDocument(one.id, 3, { title: 'New title', content: content(said('Anew.')) }, 400)
      const ref = (documentId: string, version: number, chunk: number): ChunkRef => ({ documentId, version, chunk })
      const [old, fresh] = [ref(one.id, 1, 1), ref(one.id, 2, 0)]
      const absent = [ref(one.id, 1, 2), ref(one.id, 3, 0), ref('nope', 1, 0), ref(foreign.id, 1, 0)]
      const found = await it.store.passages('acme', [old, fresh, ...absent])
      const title = 'New title'
      expect([...found]).toEqual([
        [chunkKey(old), { ...old, title, place: 'Part 2', text: 'Illness is reported by telephone.' }],
        [chunkKey(fresh), { ...fresh, title, place: 'Part 1', text: 'Anew.' }],
      ])
    })
  })

  describe('searching by words', () => {
    test('finds passages with the most of the words first, with where they are', async () => {
      const { id, title } = await published(it.store, said('Holidays in June.', 'Holidays and illness.', 'The cat.'))
      const { byWords: found } = await search('holidays illness')
      const of = (chunk: number, text: string) => {
        const place = `Part ${chunk + 1}`
        return { documentId: id, version: 1, chunk, title, place, text }
      }
      expect(found).toEqual([of(1, 'Holidays and illness.'), of(0, 'Holidays in June.')])
    })

    test('finds words in any case and form of them, and those of the place', async () => {
      await published(it.store, [{ place: 'Travelling > Trains', text: 'Tickets are BOUGHT online.' }])
      for (const words of ['TICKET', 'bought', 'trains', 'train tickets?']) expect(await byWords(words)).toHaveLength(1)
    })

    test('finds at most as many as asked for', async () => {
      await published(it.store, said(...Array.from({ length: 30 }, (_, i) => `Holiday number ${i}`)))
      expect(await byWords('holiday', { limit: 7 })).toHaveLength(7)
    })

    test('finds nothing for words that say nothing', async () => {
      await published(it.store)
      for (const words of ['', ' \n ', '"', '* ? -- ()', '🌍', '\0']) expect(await byWords(words)).toEqual([])
    })

    const odd: [what: string, words: string][] = [
      ['quotes', `holidays "and' \`so`],
      ['operators', 'NOT holidays OR ( AND NEAR( -x ^y *'],
      ['the name of a column', 'text: place: {text}: holidays'],
      ['something that looks like SQL', `'); DELETE FROM chunks; -- holidays`],
      ['NUL and half a character', '\0holidays\0 \ud83c'],
      ['emoji', 'holidays 🌍🎉'],
      ['a million characters', `holidays ${'ab '.repeat(333_333)}`],
      ['one word of a million letters', `holidays ${'a'.repeat(1_000_000)}`],
      ['ten thousand different words', `holidays ${Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(' ')}`],
    ]
    for (const [what, words] of odd) {
      test(`takes any text for words: ${what}`, async () => {
        await published(it.store)
        expect(await byWords(words)).toContain('Holidays are thirty days.')
      })
    }

    test('looks at drafts, and at what waits for review, never', async () => {
      await put(it.store, draft())
      await approved(it.store)
      const sent = await put(it.store, draft())
      await it.store.changeDocument(sent.id, 1, { status: 'pending_review' }, 200)
      expect(await byWords('holidays')).toEqual([])
    })

    test('rejects if it was given up', async () => {
      await published(it.store)
      await expect(search('holidays', { signal: AbortSignal.abort(new Error('given up')) })).rejects.toThrow('given up')
    })
  })

  describe('searching by meaning', () => {
    compares('finds what is nearest, with how near it is', async () => {
      await published(it.store, said('Holidays.', 'Illness.', 'Cats.'))
      await embedAll(it.store)
      const vector = { model: MODEL, values: direction('holidays') }
      const { byMeaning: found, byWords: none } = await search('', { vector, limit: 2 })
      expect(found.map(({ text, place }) => [text, place])).toEqual([
        ['Holidays.', 'Part 1'],
        ['Cats.', 'Part 3'],
      ])
      expect(found[0]?.similarity).toBeCloseTo(1, 5)
      expect(found[1]?.similarity).toBeCloseTo(1 / Math.hypot(4, 1), 5)
      expect(none).toEqual([])
    })

    compares('finds by vectors of the same model only', async () => {
      await published(it.store)
      await embedAll(it.store, 'another')
      expect(await byMeaning('holidays')).toEqual([])
      await embedAll(it.store)
      expect(await byMeaning('holidays')).toHaveLength(2)
    })

    compares('finds vectors that came before and after publication, also after a restart', async () => {
      const one = await approved(it.store, {}, said('Holidays before.'))
      await embedAll(it.store)
      await it.store.publishDocument(one.id, 2, { at: 300 })
      await published(it.store, said('Holidays after.'))
      await embedAll(it.store)
      const both = ['Holidays after.', 'Holidays before.']
      expect((await byMeaning('holidays')).toSorted()).toEqual(both)
      await it.reopen()
      expect((await byMeaning('holidays')).toSorted()).toEqual(both)
    })

    compares('finds the published version, not the one before it or after it', async () => {
      const one = await published(it.store, said('Holidays of old.'))
      const next = await it.store.changeDocument(one.id, 3, { content: content(said('Holidays anew.')) }, 400)
      await embedAll(it.store)
      expect(await byMeaning('holidays')).toEqual(['Holidays of old.'])
      await publishNext(it.store, next as Document)
      expect(await byMeaning('holidays')).toEqual(['Holidays anew.'])
      await it.store.deleteDocument(one.id)
      expect(await byMeaning('holidays')).toEqual([])
    })
  })

  describe('what a search looks at', () => {
    const places: [what: string, more: Partial<NewDocument>][] = [
      ['of another tenant', { tenant: 'b' }],
      ['of another workspace', { workspaceId: 'other' }],
    ]
    for (const [what, more] of places) {
      test(`is nothing ${what}, however well it fits`, async () => {
        await published(it.store, said('Now and then there are holidays in the long story about something else.'))
        for (let i = 0; i < 5; i++)
          await published(it.store, said(...Array.from({ length: 10 }, () => 'Holidays holidays.')), more)
        await embedAll(it.store)
        const vector = { model: MODEL, values: direction('holidays') }
        const found = await search('holidays', { limit: 3, ...(it.store.hasVectors && { vector }) })
        expect(found.byWords).toHaveLength(1)
        expect(found.byMeaning).toHaveLength(it.store.hasVectors ? 1 : 0)
        expect(await byWords('holidays', { workspaceIds: [] })).toEqual([])
        expect(await byWords('holidays', { tenant: 'nobody' })).toEqual([])
      })
    }

    test('are the workspaces that are named, one of them or several', async () => {
      await published(it.store, said('Holidays here.'))
      await published(it.store, said('Holidays everywhere.'), { workspaceId: 'system' })
      expect(await byWords('holidays', { workspaceIds: ['sales'] })).toEqual(['Holidays here.'])
      expect(await byWords('holidays', { workspaceIds: ['system'] })).toEqual(['Holidays everywhere.'])
      expect((await byWords('holidays')).toSorted()).toEqual(['Holidays everywhere.', 'Holidays here.'])
    })

    test('does not depend on how often other tenants use a word', async () => {
      await published(it.store, said('The lion sleeps.', 'The tiger sleeps.', 'A lion and a lion.'))
      const before = await byWords('lion tiger')
      const theirs = Array.from({ length: 50 }, () => 'The tiger, tiger.')
      await published(it.store, said(...theirs), { tenant: 'b' })
      expect(await byWords('lion tiger')).toEqual(before)
    })
  })

  describe('vectors', () => {
    test('are wanted for every chunk once, in the order they were stored', async () => {
      const [one, other] = [await put(it.store, draft()), await published(it.store, said('Cats.'))]
      const ref = ({ id }: Document, chunk: number) => ({ documentId: id, version: 1, chunk })
      const wanted = [
        { ...ref(one, 0), ...HOLIDAYS[0] },
        { ...ref(one, 1), ...HOLIDAYS[1] },
        { ...ref(other, 0), place: 'Part 1', text: 'Cats.' },
      ]
      expect(await it.store.unembedded(MODEL, 10)).toEqual(wanted)
      expect(await it.store.unembedded(MODEL, 2)).toEqual(wanted.slice(0, 2))
      const [first, ...rest] = await it.store.unembedded(MODEL, 10)
      await it.store.putVectors(MODEL, [{ ...(first as ChunkRef & Chunk), vector: direction('x') }])
      expect(await it.store.unembedded(MODEL, 10)).toEqual(rest)
      expect(await it.store.embedded(MODEL)).toEqual({ done: 1, all: 3 })
      await embedAll(it.store)
      expect(await it.store.unembedded(MODEL, 10)).toEqual([])
      expect(await it.store.unembedded('another', 10)).toEqual(wanted)
      const late = await put(it.store, draft(), said('Late.'))
      expect(await it.store.unembedded(MODEL, 10)).toMatchObject([{ documentId: late.id, text: 'Late.' }])
      expect(await it.store.embedded(MODEL)).toEqual({ done: 3, all: 4 })
    })

    test('of chunks that are gone or have other words by now are left out', async () => {
      const [gone, rewritten] = [await put(it.store, draft()), await put(it.store, draft())]
      const wanted = await it.store.unembedded(MODEL, 10)
      await it.store.deleteDocument(gone.id)
      await it.store.changeDocument(rewritten.id, 1, { content: content(said('Other.', HOLIDAYS[1]?.text ?? '')) }, 200)
      await it.store.putVectors(
        MODEL,
        wanted.map((chunk) => ({ ...chunk, vector: direction(chunk.text) })),
      )
      expect((await it.store.unembedded(MODEL, 10)).map(({ text }) => text)).toEqual(['Other.'])
    })

    test('of all models but one are erased, and are wanted again', async () => {
      await published(it.store)
      await embedAll(it.store, 'old')
      await embedAll(it.store)
      await it.store.keepVectorsOf(MODEL)
      expect(await it.store.embedded('old')).toEqual({ done: 0, all: 2 })
      expect(await it.store.embedded(MODEL)).toEqual({ done: 2, all: 2 })
      expect(await it.store.unembedded('old', 10)).toHaveLength(2)
      if (it.store.hasVectors) expect(await byMeaning('holidays')).toHaveLength(2)
    })

    compares('of two models are found side by side, whatever their lengths', async () => {
      await published(it.store)
      await embedAll(it.store)
      const wanted = await it.store.unembedded('longer', 10)
      const long = new Float32Array(700).fill(1 / Math.sqrt(700))
      await it.store.putVectors(
        'longer',
        wanted.map((chunk) => ({ ...chunk, vector: long })),
      )
      expect(await byMeaning('holidays')).toHaveLength(2)
      const { byMeaning: found } = await search('', { vector: { model: 'longer', values: long } })
      expect(found.map(({ similarity }) => similarity.toFixed(3))).toEqual(['1.000', '1.000'])
    })
  })

  test('documents leave the store sound', async () => {
    const one = await published(it.store)
    await it.store.changeDocument(one.id, 3, { content: content(said('Anew.')) }, 400)
    await embedAll(it.store)
    expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
  })
}
