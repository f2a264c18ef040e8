import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { termsOf } from '../../src/store/sqlite/knowledge-terms.ts'

/** Two queries on the tables of an index of one tenant with one workspace, and nothing else. */
export function bareIndex(file: string) {
  const require = createRequire(import.meta.url)
  const { getLoadablePath } = require('sqlite-vec') as { getLoadablePath(): string }
  const db = new DatabaseSync(file, { allowExtension: true })
  db.loadExtension(getLoadablePath())
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16000')
  const words = db.prepare('SELECT rowid, rank FROM words_1 WHERE words_1 MATCH ? ORDER BY rank LIMIT ?')
  const vectors = db.prepare('SELECT rowid, distance FROM vectors_1 WHERE vector MATCH ? AND k = ? AND part = ?')
  const { part } = db.prepare('SELECT min(key >> 32) << 32 AS part FROM entries').get() as { part: number }
  return {
    search(question: string, vector: Float32Array, limit: number): void {
      words.all(termsOf(question) ?? '""', limit)
      vectors.all(new Uint8Array(vector.buffer), BigInt(limit), BigInt(part))
    },
    close: (): void => db.close(),
  }
}
