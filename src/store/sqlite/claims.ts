import type { DatabaseSync } from 'node:sqlite'
import type { Json } from '../../contract/message.ts'
import type { Claim } from '../store.ts'

export interface Claims {
  find(key: string): Claim | undefined
  put(claim: Claim, session: number | null): void
}

/** Keys that make something happen once: a primary key, not a look before an insert. */
export function claimsIn(db: DatabaseSync): Claims {
  const find = db.prepare('SELECT key, hash, result FROM claims WHERE key = ?')
  const insert = db.prepare('INSERT INTO claims (key, hash, result, session) VALUES (?, ?, ?, ?)')
  return {
    find(key) {
      const row = find.get(key) as { key: string; hash: string; result: string } | undefined
      return row && { key: row.key, hash: row.hash, result: JSON.parse(row.result) as Json }
    },
    put(claim, session) {
      insert.run(claim.key, claim.hash, JSON.stringify(claim.result), session)
    },
  }
}
