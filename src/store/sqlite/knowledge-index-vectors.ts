import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Hit } from './knowledge-index-words.ts'

interface Model {
  readonly num: number
  readonly insert: StatementSync
  readonly remove: StatementSync
  readonly find: StatementSync
}

/** Vectors are kept in blocks of so many; each workspace has its own. */
const BLOCK = 128
/** The most that sqlite-vec finds at once. */
const MOST_FOUND = 4096

/** The vectors of passages: a table for each model and length of vectors. */
export function indexVectors(db: DatabaseSync) {
  db.exec(`
    CREATE TABLE IF NOT EXISTS models
      (num INTEGER PRIMARY KEY, model TEXT NOT NULL, bytes INTEGER NOT NULL, UNIQUE (model, bytes));
    CREATE TABLE IF NOT EXISTS vectored (key INTEGER, model INTEGER, PRIMARY KEY (key, model)) WITHOUT ROWID`)
  const numOf = db.prepare('SELECT num FROM models WHERE model = ? AND bytes = ?')
  const insertModel = db.prepare('INSERT INTO models (model, bytes) VALUES (?, ?) RETURNING num')
  const all = db.prepare('SELECT num, model FROM models')
  const insert = db.prepare('INSERT INTO vectored (key, model) VALUES (?, ?)')
  const modelsOf = db.prepare('SELECT model FROM vectored WHERE key = ?')
  const has = db.prepare('SELECT 1 FROM vectored WHERE key = ? AND model = ?')
  const erase = db.prepare('DELETE FROM vectored WHERE key = ?')
  const eraseModel = db.prepare('DELETE FROM models WHERE num = ?')
  const eraseAll = db.prepare('DELETE FROM vectored WHERE model = ?')
  const counts = db.prepare(
    `SELECT e.body, m.model, count(*) AS n FROM vectored v JOIN entries e ON e.key = v.key
     JOIN models m ON m.num = v.model WHERE e.body > ? AND e.body <= ? GROUP BY e.body, m.model`,
  )
  const known = new Map<number, Model>()

  function use(num: number): Model {
    const before = known.get(num)
    if (before) return before
    const used = {
      num,
      insert: db.prepare(`INSERT INTO vectors_${num} (rowid, part, vector) VALUES (?, ?, ?)`),
      remove: db.prepare(`DELETE FROM vectors_${num} WHERE rowid = ?`),
      find: db.prepare(
        `SELECT rowid AS key, distance AS rank FROM vectors_${num} WHERE vector MATCH ? AND k = ? AND part = ?`,
      ),
    }
    known.set(num, used)
    return used
  }

  function modelOf(model: string, bytes: number): Model | undefined {
    const row = numOf.get(model, bytes) as { num: number } | undefined
    return row && use(row.num)
  }

  function makeModel(model: string, bytes: number): Model {
    const { num } = insertModel.get(model, bytes) as { num: number }
    db.exec(
      `CREATE VIRTUAL TABLE vectors_${num} USING vec0
       (part integer partition key, vector float[${bytes / 4}], chunk_size = ${BLOCK})`,
    )
    // A number may come again after a transaction that failed, or after a model that is gone.
    known.delete(num)
    return use(num)
  }

  return {
    put(part: number, key: number, model: string, vector: Uint8Array): void {
      const of = modelOf(model, vector.length) ?? makeModel(model, vector.length)
      if (has.get(key, of.num)) of.remove.run(BigInt(key))
      else insert.run(key, of.num)
      of.insert.run(BigInt(key), BigInt(part), vector)
    },
    remove(key: number): void {
      for (const { model } of modelsOf.all(key) as { model: number }[]) use(model).remove.run(BigInt(key))
      erase.run(key)
    },
    keepOnly(models: readonly string[]): void {
      for (const { num, model } of all.all() as { num: number; model: string }[]) {
        if (models.includes(model)) continue
        known.delete(num)
        eraseAll.run(num)
        eraseModel.run(num)
        db.exec(`DROP TABLE vectors_${num}`)
      }
    },
    /** By body and model, of the bodies after one up to another. */
    counts(after: number, upTo: number): Map<number, Record<string, number>> {
      const found = new Map<number, Record<string, number>>()
      for (const { body, model, n } of counts.all(after, upTo) as { body: number; model: string; n: number }[])
        found.set(body, { ...found.get(body), [model]: n })
      return found
    },
    find(
      part: number,
      { model, bytes }: { model: string; bytes: Uint8Array },
      limit: number,
      mayBeFound: (key: number) => boolean,
    ): Hit[] {
      const of = modelOf(model, bytes.length)
      if (!of) return []
      for (let most = Math.min(limit, MOST_FOUND); ; most = Math.min(most * 4, MOST_FOUND)) {
        const rows = of.find.all(bytes, BigInt(most), BigInt(part)) as unknown as Hit[]
        const hits = rows.filter(({ key }) => mayBeFound(key))
        if (hits.length >= limit || rows.length < most || most === MOST_FOUND) return hits.slice(0, limit)
      }
    },
  }
}
