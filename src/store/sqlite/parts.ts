import type { DatabaseSync } from 'node:sqlite'
import type { StoredPart } from '../prompts.ts'

/** Texts stored once under their hash, and the sessions whose events name them. */
export function partsIn(db: DatabaseSync) {
  // Words of somebody who had them forgotten meanwhile do not come back.
  const insert = db.prepare(
    `INSERT OR IGNORE INTO parts (hash, tenant, owner, salt, text) SELECT :hash, :tenant, :owner, :salt, :text
     WHERE :owner IS NULL OR EXISTS (SELECT 1 FROM preferences WHERE tenant = :tenant AND user_id = :owner)`,
  )
  const insertRef = db.prepare('INSERT OR IGNORE INTO part_refs (hash, session, seq) VALUES (?, ?, ?)')
  const find = db.prepare('SELECT text FROM parts WHERE hash = ?')
  const eraseOf = db.prepare('DELETE FROM parts WHERE tenant = ? AND owner = ?')

  return {
    /** Stores parts that events of a session name, `seq` being the first of these events. */
    put(parts: readonly StoredPart[], session: number, seq: number): void {
      for (const { hash, tenant, owner = null, salt = null, text } of parts) {
        insert.run({ hash, tenant, owner, salt, text })
        insertRef.run(hash, session, seq)
      }
    },
    get(hashes: readonly string[]): ReadonlyMap<string, string> {
      const found = new Map<string, string>()
      for (const hash of hashes) {
        const row = find.get(hash) as { text: string } | undefined
        if (row) found.set(hash, row.text)
      }
      return found
    },
    /** Erases the parts with a user's words. */
    eraseOf(tenant: string, owner: string): void {
      eraseOf.run(tenant, owner)
    },
  }
}
