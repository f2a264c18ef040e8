import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { keepPrivate } from './keep-private.ts'
import { indexVectors } from './knowledge-index-vectors.ts'
import { indexWords } from './knowledge-index-words.ts'
import { checkpoint, pragma } from './layout.ts'
import { eraseCopy, makePrivateFile } from './private-copy.ts'
import { sqliteCode } from './sqlite-problem.ts'

/** Grows with every change of what is in the file; one with another number is made anew. */
const VERSION = 1
/** A key is the number of a part and that of a chunk, so that the keys of a part are a range. */
const PART = 2 ** 32
/** SQLite's codes for a file that is damaged, is no database, or has other tables. */
const UNREADABLE = [11, 26, 1]
const PAGES_AT_A_TIME = 100

const TABLES = `
CREATE TABLE parts (num INTEGER PRIMARY KEY, tenant TEXT NOT NULL, workspace TEXT NOT NULL, UNIQUE (tenant, workspace));
CREATE TABLE entries (key INTEGER PRIMARY KEY, body INTEGER NOT NULL);
CREATE INDEX entries_body ON entries (body, key);
PRAGMA user_version = ${VERSION};`

export interface IndexOptions {
  /** path of the index, or `:memory:` */
  readonly file: string
  /** the file of sqlite-vec; without it there are no vectors */
  readonly extension?: string | undefined
  /** whether what is there is damaged */
  readonly isFresh?: boolean
}

/** What is found together: the documents of a workspace. */
export interface Part {
  readonly tenant: string
  readonly workspace: string
}

export interface IndexedChunk {
  /** of the chunk in the main file */
  readonly num: number
  readonly place: string
  readonly text: string
}

export interface IndexedVector {
  readonly num: number
  readonly vector: Uint8Array
}

export interface IndexedBody {
  readonly body: number
  readonly chunks: number
  /** by model */
  readonly vectors: Readonly<Record<string, number>>
}

export interface IndexQuery {
  readonly tenant: string
  readonly workspaces: readonly string[]
  readonly terms: string | undefined
  readonly vector?: { readonly model: string; readonly bytes: Uint8Array } | undefined
  readonly limit: number
  /** bodies that are in the index and may not be found */
  readonly hidden: readonly number[]
}

/** Numbers of chunks, best first. */
export interface IndexHits {
  readonly byWords: readonly number[]
  readonly byMeaning: readonly { readonly num: number; readonly similarity: number }[]
}

export type KnowledgeIndex = ReturnType<typeof useIndex>

/**
 * Opens the index of what is published: made from the main file, and made anew if it cannot be read. It runs in a
 * thread of its own, because searching many passages takes a tenth of a second.
 */
export async function openIndex(options: IndexOptions): Promise<KnowledgeIndex> {
  if (options.isFresh === true && options.file !== ':memory:') await eraseCopy(options.file)
  try {
    return useIndex(openFile(options), options.extension !== undefined)
  } catch (error) {
    const code = sqliteCode(error)
    if (options.file === ':memory:' || code === undefined || !UNREADABLE.includes(code)) throw error
    await eraseCopy(options.file)
    return useIndex(openFile(options), options.extension !== undefined)
  }
}

function openFile({ file, extension }: IndexOptions): DatabaseSync {
  if (file !== ':memory:' && !existsSync(file)) makePrivateFile(file)
  // An earlier thread may still be ending.
  const db = new DatabaseSync(file, { timeout: 5000, allowExtension: extension !== undefined })
  try {
    if (extension !== undefined) {
      db.loadExtension(extension)
      db.enableLoadExtension(false)
    }
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    if (pragma(db, 'page_count') === 0) db.exec('PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL')
    // What a power cut takes is put in again at the next start.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    // No temporary file may hold content, and what is deleted must not stay readable.
    db.exec('PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; PRAGMA cache_size = -16000')
    const version = pragma(db, 'user_version')
    if (version === 0) db.exec(`BEGIN IMMEDIATE; ${TABLES} COMMIT`)
    else if (version !== VERSION) throw Object.assign(new Error('it has another layout'), { errcode: 26 })
    if (file !== ':memory:') keepPrivate(file)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function useIndex(db: DatabaseSync, hasVectors: boolean) {
  const partOf = db.prepare('SELECT num FROM parts WHERE tenant = ? AND workspace = ?')
  const insertPart = db.prepare('INSERT INTO parts (tenant, workspace) VALUES (?, ?) RETURNING num')
  const insert = db.prepare('INSERT INTO entries (key, body) VALUES (?, ?)')
  const bodyOf = db.prepare('SELECT body FROM entries WHERE key = ?')
  const some = db.prepare('SELECT key FROM entries WHERE body = ? ORDER BY key LIMIT ?')
  const erase = db.prepare('DELETE FROM entries WHERE key = ?')
  const size = db.prepare('SELECT count(*) AS n FROM entries WHERE body = ?')
  const counts = db.prepare(
    'SELECT body, count(*) AS chunks FROM entries WHERE body > ? GROUP BY body ORDER BY body LIMIT ?',
  )
  const tenantOf = db.prepare('SELECT tenant FROM parts WHERE num = ?')
  const words = indexWords(db)
  const vectors = hasVectors ? indexVectors(db) : undefined

  function whole<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  const numOf = (row: unknown): number | undefined => (row as { num: number } | undefined)?.num
  const partNum = ({ tenant, workspace }: Part): number =>
    numOf(partOf.get(tenant, workspace)) ?? (numOf(insertPart.get(tenant, workspace)) as number)
  const bodyAt = (key: number): number | undefined => (bodyOf.get(key) as { body: number } | undefined)?.body

  let rewriting: Iterator<unknown> | undefined
  let compacting: Iterator<unknown> | undefined

  function* compaction(): Generator {
    yield* words.compact()
    for (let left = pragma(db, 'freelist_count'); left > 0;) {
      db.exec(`PRAGMA incremental_vacuum(${PAGES_AT_A_TIME})`)
      const now = pragma(db, 'freelist_count')
      if (now >= left) break
      left = now
      yield
    }
    checkpoint(db)
  }

  return {
    /** What is in it, at most so many after one. */
    list(after: number, most: number): IndexedBody[] {
      const bodies = counts.all(after, most) as { body: number; chunks: number }[]
      const found = vectors?.counts(after, bodies.at(-1)?.body ?? after)
      return bodies.map(({ body, chunks }) => ({ body, chunks, vectors: found?.get(body) ?? {} }))
    },
    put(part: Part, body: number, chunks: readonly IndexedChunk[]): void {
      whole(() => {
        const from = partNum(part) * PART
        for (const { num, place, text } of chunks) {
          insert.run(from + num, body)
          words.put(part.tenant, from + num, place, text)
        }
      })
    },
    /** Those of chunks that are not in the index are left out. */
    putVectors(part: Part, model: string, some: readonly IndexedVector[]): void {
      whole(() => {
        const from = partNum(part) * PART
        for (const { num, vector } of some)
          if (bodyAt(from + num) !== undefined) vectors?.put(from, from + num, model, vector)
      })
    },
    /** How many chunks of a body are in it. */
    sizeOf: (body: number): number => (size.get(body) as { n: number }).n,
    /**
     * Takes out at most so many chunks of a body; false once there are no more. Of words that are much, which are
     * taken out one by one slowly, something stays until `rewriteStep`.
     */
    remove(body: number, most: number, isMuch: boolean): boolean {
      return whole(() => {
        const keys = (some.all(body, most) as { key: number }[]).map(({ key }) => key)
        const [first] = keys
        if (first === undefined) return false
        const { tenant } = tenantOf.get(Math.floor(first / PART)) as { tenant: string }
        words.remove(tenant, keys, isMuch)
        for (const key of keys) {
          vectors?.remove(key)
          erase.run(key)
        }
        return keys.length === most
      })
    },
    /** One step of erasing words that were taken out; false once it is done. */
    rewriteStep(): boolean {
      rewriting ??= words.compact()
      const { done = false } = rewriting.next()
      if (done) rewriting = undefined
      return !done
    },
    /** Takes out the vectors of all models but these. */
    keepVectorsOf(models: readonly string[]): void {
      whole(() => vectors?.keepOnly(models))
    },
    search({ tenant, workspaces, terms, vector, limit, hidden }: IndexQuery): IndexHits {
      const not = new Set(hidden)
      const mayBeFound = (key: number): boolean => not.size === 0 || !not.has(bodyAt(key) ?? 0)
      const parts = workspaces.flatMap((workspace) => numOf(partOf.get(tenant, workspace)) ?? [])
      const found = <Hit extends { key: number; rank: number }>(find: (from: number, to: number) => Hit[]): Hit[] =>
        parts
          .flatMap((part) => find(part * PART, (part + 1) * PART - 1))
          .sort((one, other) => one.rank - other.rank)
          .slice(0, limit)
      const byWords =
        terms === undefined ? [] : found((from, to) => words.find(tenant, terms, from, to, limit, mayBeFound))
      const byMeaning = vector && vectors ? found((from) => vectors.find(from, vector, limit, mayBeFound)) : []
      return {
        byWords: byWords.map(({ key }) => key % PART),
        // The square of the distance of two vectors of length 1 is 2 - 2 · cosine.
        byMeaning: byMeaning.map(({ key, rank }) => ({ num: key % PART, similarity: 1 - (rank * rank) / 2 })),
      }
    },
    /** One step of erasing what was taken out from every byte, and freeing its space; false once it is done. */
    compactStep(): boolean {
      compacting ??= compaction()
      const { done = false } = compacting.next()
      if (done) compacting = undefined
      return !done
    },
    /** What was taken out is in the write-ahead log until then. */
    emptyLog: (): void => checkpoint(db),
    close: (): void => db.close(),
  }
}
