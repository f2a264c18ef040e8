import { randomInt } from 'node:crypto'
import type { Chunk } from '../../contract/knowledge.ts'
import { cleanText } from '../clean-text.ts'
import type { Base } from './base.ts'
import { SLICE_ROWS, slicesIn } from './knowledge-slices.ts'

const SLICE_CHARS = 64_000

const MOST_BODY = 2 ** 48 - 1

export type Bodies = ReturnType<typeof bodiesIn>

/** The chunks of a version: stored in slices before the version names them, and erased in slices after it is gone. */
export function bodiesIn({ db, group }: Pick<Base, 'db' | 'group'>) {
  const inSlice = slicesIn({ db, group })
  const insertBody = db.prepare('INSERT INTO bodies (num) VALUES (?)')
  const insert = db.prepare('INSERT INTO chunks (body, chunk, place, text) VALUES (?, ?, ?, ?)')
  const eraseVectors = db.prepare(
    'DELETE FROM chunk_vectors WHERE chunk IN (SELECT num FROM chunks WHERE body = ? AND chunk >= ?)',
  )
  const erase = db.prepare('DELETE FROM chunks WHERE body = ? AND chunk >= ?')
  const eraseBody = db.prepare('DELETE FROM bodies WHERE num = ?')
  const count = db.prepare('SELECT count(*) AS n FROM chunks WHERE body = ?')
  const isNamed = db.prepare('SELECT 1 FROM document_versions WHERE body = ?')
  const unnamed = db.prepare('SELECT num FROM bodies WHERE num NOT IN (SELECT body FROM document_versions)')
  /** Those that a version may name soon. */
  const held = new Set<number>()

  async function store(body: number, chunks: readonly Chunk[]): Promise<void> {
    await group.run(() => void insertBody.run(body))
    let at = 0
    for (const slice of slicesOf(chunks)) {
      const from = at
      await inSlice(() => {
        for (const [offset, { place, text }] of slice.entries())
          insert.run(body, from + offset, cleanText(place), cleanText(text))
      })
      at += slice.length
    }
  }

  async function eraseAll(body: number): Promise<void> {
    for (let left = (count.get(body) as { n: number }).n; left > 0;) {
      left = Math.max(0, left - SLICE_ROWS)
      await inSlice(() => {
        eraseVectors.run(body, left)
        erase.run(body, left)
      })
    }
    await group.run(() => void eraseBody.run(body))
  }

  return {
    erase: eraseAll,
    /** Erases what a process that died or a full disk left behind. */
    async eraseUnnamed(): Promise<void> {
      for (const { num } of unnamed.all() as { num: number }[]) if (!held.has(num)) await eraseAll(num)
    },
    /** Stores chunks for work that makes a version name them; if it does not, they are erased again. */
    async holding<T>(chunks: readonly Chunk[], work: (body: number) => Promise<T>): Promise<T> {
      const body = randomInt(1, MOST_BODY)
      held.add(body)
      try {
        await store(body, chunks)
        return await work(body)
      } finally {
        held.delete(body)
        // What a full disk keeps is erased by `eraseUnnamed`.
        if (db.isOpen && !isNamed.get(body)) await eraseAll(body).catch(() => {})
      }
    },
  }
}

function* slicesOf(chunks: readonly Chunk[]): Generator<Chunk[]> {
  let slice: Chunk[] = []
  let chars = 0
  for (const chunk of chunks) {
    slice.push(chunk)
    chars += chunk.place.length + chunk.text.length
    if (slice.length < SLICE_ROWS && chars < SLICE_CHARS) continue
    yield slice
    slice = []
    chars = 0
  }
  if (slice.length > 0) yield slice
}
