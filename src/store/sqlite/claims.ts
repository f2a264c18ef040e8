import type { DatabaseSync } from 'node:sqlite'
import type { Json } from '../../contract/message.ts'
import type { Claim } from '../inbox.ts'

/** Idempotency keys; the primary key decides, without a lookup before the insert. */
export function claimsIn(db: DatabaseSync) {
  const find = db.prepare('SELECT key, hash, result FROM claims WHERE key = ?')
  const insert = db.prepare('INSERT INTO claims (key, hash, result, session, created_at) VALUES (?, ?, ?, ?, ?)')
  // The claim of an input that still waits is all that keeps it from being stored twice.
  const forget = db.prepare(
    `DELETE FROM claims WHERE key IN (SELECT key FROM claims WHERE created_at < ?
     AND key NOT IN (SELECT key FROM inputs) ORDER BY created_at LIMIT ?)`,
  )
  return {
    find(key: string): Claim | undefined {
      const row = find.get(key) as { key: string; hash: string; result: string } | undefined
      return row && { key: row.key, hash: row.hash, result: JSON.parse(row.result) as Json }
    },
    put(claim: Claim, session: number | null, at: number): void {
      insert.run(claim.key, claim.hash, JSON.stringify(claim.result), session, at)
    },
    forget: (before: number, most: number): number => Number(forget.run(before, most).changes),
  }
}
