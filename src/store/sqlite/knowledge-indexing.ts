import { existsSync } from 'node:fs'
import { loopStep } from '../../lib/loop-step.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { Base } from './base.ts'
import type { IndexedBody, IndexedChunk, IndexedVector, IndexHits, IndexQuery, Part } from './knowledge-index.ts'
import { indexThread, vectorExtension } from './knowledge-thread.ts'

/** Chunks that are put in or taken out in one step: some milliseconds of the thread, so that searches do not wait long. */
const STEP = { in: 64, out: 16, muchOut: 64 } as const
/** From so many chunks on, rewriting the words that stay takes less time than taking out those that go. */
const MUCH = 256
/** Versions that are looked at in one step: a millisecond or two. */
const LOOK = 256

interface Published extends Part {
  /** of the document */
  readonly num: number
  readonly body: number
  readonly chunks: number
}

export type KnowledgeIndexing = ReturnType<typeof knowledgeIndexing>

/**
 * Keeps the index of what is published as the main file has it. A version is put in before it is published and taken
 * out after it no longer is, and what a process that died left undone is done at the next start, while searches go on.
 */
export function knowledgeIndexing({ db, file: mainFile, reading }: Base) {
  const file = mainFile === ':memory:' ? mainFile : `${mainFile}-knowledge`
  let extension: string | undefined | null = null
  const options = () => ({ file, extension: (extension ??= vectorExtension()) })
  const thread = indexThread(options)

  const published = db.prepare(
    `SELECT d.num, v.body, v.chunks, d.tenant, d.workspace_id AS workspace FROM documents d
     JOIN document_versions v ON v.document = d.num AND v.version = d.published_version
     WHERE d.num > ? ORDER BY d.num LIMIT ?`,
  )
  const isAnyPublished = db.prepare('SELECT 1 FROM documents WHERE published_version IS NOT NULL LIMIT 1')
  const chunksOf = db.prepare(
    'SELECT num, chunk, place, text FROM chunks WHERE body = ? AND chunk >= ? ORDER BY chunk LIMIT ?',
  )
  const vectorsOf = db.prepare(
    `SELECT c.num, x.vector FROM chunks c JOIN chunk_vectors x ON x.chunk = c.num AND x.model = ?
     WHERE c.body = ? AND c.chunk >= ? AND c.chunk < ?`,
  )
  const countOf = db.prepare(
    'SELECT count(*) AS n FROM chunks c JOIN chunk_vectors x ON x.model = ? AND x.chunk = c.num WHERE c.body = ?',
  )
  const nextModel = db.prepare('SELECT min(model) AS model FROM chunk_vectors WHERE model > ?')

  const inTurn = oneAtATime<unknown>()
  /** What is in the index, and whether it may be found. */
  const bodies = new Map<number, boolean>()
  /** Those of them that may not be found, because every search needs them and there may be many others. */
  const hidden = new Set<number>()
  let mendedLife = 0
  let isMending = false

  /** One change of the index at a time, of an index that is as the main file has it. */
  const changing = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn('', async () => {
      if (mendedLife !== thread.lives()) {
        isMending = true
        await mend().finally(() => (isMending = false))
      }
      return work()
    }) as Promise<T>

  function mark(body: number, mayBeFound: boolean): void {
    bodies.set(body, mayBeFound)
    if (mayBeFound) hidden.delete(body)
    else hidden.add(body)
  }

  /** What fails is made good by the next life of the thread. */
  const later = (work: () => Promise<unknown>): void => void changing(work).catch(() => {})

  function models(): string[] {
    const found: string[] = []
    for (let last = ''; ;) {
      const { model } = nextModel.get(last) as { model: string | null }
      if (model === null) return found
      found.push((last = model))
    }
  }

  async function put(part: Part, body: number): Promise<void> {
    const known = await reading(models)
    for (let from = 0; ; from += STEP.in) {
      const chunks = await reading(() => chunksOf.all(body, from, STEP.in) as unknown as IndexedChunk[])
      if (chunks.length === 0) return
      const plain = chunks.map(({ num, place, text }) => ({ num, place, text }))
      await thread.ask('put', part, body, plain)
      for (const model of known) {
        const vectors = await reading(
          () => vectorsOf.all(model, body, from, from + STEP.in) as unknown as IndexedVector[],
        )
        if (vectors.length > 0) await thread.ask('putVectors', part, model, plainVectors(vectors))
      }
      await loopStep()
    }
  }

  async function remove(body: number): Promise<void> {
    if (!bodies.has(body)) return
    mark(body, false)
    await takeOut(body)
    bodies.delete(body)
    hidden.delete(body)
  }

  async function takeOut(body: number): Promise<void> {
    const isMuch = (await thread.ask('sizeOf', body)) >= MUCH
    while (await thread.ask('remove', body, isMuch ? STEP.muchOut : STEP.out, isMuch)) await loopStep()
    if (isMuch) while (await thread.ask('rewriteStep')) await loopStep()
  }

  /** By body. */
  async function allPublished(): Promise<Map<number, Published>> {
    const all = new Map<number, Published>()
    for (let last: number | undefined = 0; last !== undefined; await loopStep()) {
      const after: number = last
      const some: readonly Published[] = await reading(() => published.all(after, LOOK) as unknown as Published[])
      for (const one of some) all.set(one.body, one)
      last = some.length < LOOK ? undefined : some.at(-1)?.num
    }
    return all
  }

  async function allIndexed(): Promise<IndexedBody[]> {
    const all: IndexedBody[] = []
    for (let last: number | undefined = 0; last !== undefined; await loopStep()) {
      const some: readonly IndexedBody[] = await thread.ask('list', last, LOOK)
      all.push(...some)
      last = some.length < LOOK ? undefined : some.at(-1)?.body
    }
    return all
  }

  /** Compares the index with the main file, and mends what differs. */
  async function mend(): Promise<void> {
    const life = thread.lives()
    const found = await allIndexed()
    const wanted = await allPublished()
    bodies.clear()
    hidden.clear()
    for (const { body } of found) mark(body, wanted.has(body))
    const known = await reading(models)
    await thread.ask('keepVectorsOf', known)
    const whole = new Set<number>()
    for (const [at, each] of found.entries()) {
      if (at % LOOK === 0) await loopStep()
      const one = wanted.get(each.body)
      if (one && (await isWhole(one, each, known))) whole.add(each.body)
      else await remove(each.body)
    }
    for (const { body, tenant, workspace } of wanted.values()) {
      if (whole.has(body)) continue
      mark(body, true)
      await put({ tenant, workspace }, body)
    }
    mendedLife = life
  }

  async function isWhole({ body, chunks }: Published, found: IndexedBody, known: readonly string[]): Promise<boolean> {
    if (chunks !== found.chunks) return false
    if (options().extension === undefined) return true
    for (const model of known) {
      await loopStep()
      const { n } = await reading(() => countOf.get(model, body) as { n: number })
      if (n !== (found.vectors[model] ?? 0)) return false
    }
    return true
  }

  if ((file !== ':memory:' && existsSync(file)) || isAnyPublished.get() !== undefined) later(async () => {})

  return {
    hasVectors: (): boolean => options().extension !== undefined,
    /**
     * Puts a version into the index and publishes it; then takes out the one before it. If it turns out that it may not
     * be published, `publish` says undefined, and it is taken out again.
     */
    publishing: <T>(
      find: () => { readonly part: Part; readonly body: number; readonly before: number | undefined } | undefined,
      publish: () => Promise<T | undefined>,
    ): Promise<T | undefined> =>
      changing(async () => {
        const found = await reading(() => {
          const wanted = find()
          const isThere = wanted && bodies.get(wanted.body)
          // From now on, who deletes it waits until it is taken out.
          if (wanted && isThere === undefined) mark(wanted.body, false)
          return wanted && { ...wanted, isThere }
        })
        if (!found) return undefined
        const { part, body, before, isThere } = found
        let done: T | undefined
        try {
          // A part of it, which a full disk left.
          if (isThere === false) await takeOut(body)
          if (isThere !== true) await put(part, body)
          done = await publish()
        } finally {
          if (done === undefined && body !== before) later(() => remove(body))
        }
        if (done === undefined) return undefined
        mark(body, true)
        if (before !== undefined && before !== body) {
          mark(before, false)
          later(() => remove(before))
        }
        return done
      }),
    /** Takes out bodies that are not published any more. */
    async removing(gone: readonly number[]): Promise<void> {
      if (!thread.hasStarted()) return
      // Drafts never were in it, so that nobody waits for documents of others that are put in.
      if (mendedLife === thread.lives() && !gone.some((body) => bodies.has(body))) return
      for (const body of gone) if (bodies.has(body)) mark(body, false)
      await changing(async () => {
        const known = gone.filter((body) => bodies.has(body))
        for (const body of known) await remove(body)
        if (known.length > 0) await thread.ask('emptyLog')
      })
    },
    /** Puts in vectors of a body, if it is in the index. */
    async addVectors(part: Part, body: number, model: string, vectors: readonly IndexedVector[]): Promise<void> {
      if (!thread.hasStarted()) return
      try {
        await changing(async () => {
          if (bodies.has(body)) await thread.ask('putVectors', part, model, plainVectors(vectors))
        })
      } catch {
        // The next life of the thread puts them in.
      }
    },
    async keepVectorsOf(model: string): Promise<void> {
      if (thread.hasStarted()) await changing(() => thread.ask('keepVectorsOf', [model]))
    },
    async search(query: Omit<IndexQuery, 'hidden'>): Promise<IndexHits> {
      if (mendedLife !== thread.lives() && !isMending) later(async () => {})
      return thread.ask('search', { ...query, hidden: [...hidden] })
    },
    /** Erases what was taken out from every byte of the index, and frees its space. */
    async compact(signal: AbortSignal): Promise<void> {
      if (!thread.hasStarted()) return
      await changing(async () => {
        // Such as what a full disk left in it.
        for (const body of hidden) await remove(body)
        while (await thread.ask('compactStep')) {
          signal.throwIfAborted()
          await loopStep()
        }
      })
    },
    close: (): Promise<void> => thread.close(),
  }
}

/** As they can be sent to a thread. */
const plainVectors = (vectors: readonly IndexedVector[]): IndexedVector[] =>
  vectors.map(({ num, vector }) => ({ num, vector }))
