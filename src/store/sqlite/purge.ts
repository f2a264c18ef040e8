import type { DatabaseSync } from 'node:sqlite'
import { packedHead } from '../pack-events.ts'
import { eventKey, seqOfKey } from './event-rows.ts'

/**
 * Erases a deleted session's events, what its invocations were given and gave, and the blobs and parts that nobody else
 * refers to; what living forks share stays until the last of them is deleted.
 */
export function purgeIn(db: DatabaseSync) {
  const children = db.prepare('SELECT num, parent_seq, deleted FROM sessions WHERE parent = ?')
  const deletedParent = db.prepare(
    'SELECT num FROM sessions WHERE num = (SELECT parent FROM sessions WHERE num = ?) AND deleted = 1',
  )
  const straddling = db.prepare('SELECT key, n, body FROM events WHERE key >= ? AND key <= ? ORDER BY key DESC LIMIT 1')
  const shorten = db.prepare('UPDATE events SET n = ?, body = ? WHERE key = ?')
  const count = db.prepare('SELECT coalesce(sum(n), 0) AS n FROM events WHERE key > ? AND key < ?')
  const erase = db.prepare('DELETE FROM events WHERE key > ? AND key < ?')
  const eraseRounds = db.prepare('DELETE FROM rounds WHERE key > ? AND key < ?')
  const eraseSnapshots = db.prepare('DELETE FROM snapshots WHERE key > ? AND key < ?')
  const eraseRefs = db.prepare('DELETE FROM blob_refs WHERE session = ? AND seq > ?')
  const erasePartRefs = db.prepare('DELETE FROM part_refs WHERE session = ? AND seq > ?')
  const eraseParts = db.prepare('DELETE FROM parts WHERE hash NOT IN (SELECT hash FROM part_refs)')
  // Waiting inputs also name blobs.
  const eraseBlobs = db.prepare(
    `DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_refs) AND hash NOT IN
     (SELECT part.atom FROM inputs, json_tree(inputs.body, '$.content') part WHERE part.key IN ('hash', 'blob'))`,
  )
  // The key stays taken, but its result is erased.
  const blankClaims = db.prepare(`UPDATE claims SET hash = '', result = 'null' WHERE session = ?`)

  const eraseInvocations = db.prepare(
    `UPDATE invocations SET content = NULL, revision = revision + 1
     WHERE session_id = (SELECT id FROM sessions WHERE num = ?) AND content IS NOT NULL`,
  )
  const eraseOutbox = db.prepare('DELETE FROM outbox WHERE session_id = (SELECT id FROM sessions WHERE num = ?)')

  /** The highest number that living forks still read here, directly or through deleted forks. */
  function sharedUpTo(num: number): number {
    let shared = 0
    for (const child of children.all(num) as { num: number; parent_seq: number; deleted: number }[]) {
      const reads = child.deleted === 0 ? child.parent_seq : Math.min(child.parent_seq, sharedUpTo(child.num))
      shared = Math.max(shared, reads)
    }
    return shared
  }

  function purgeOne(num: number): number {
    const keep = eventKey(num, sharedUpTo(num))
    const end = eventKey(num + 1, 0)
    let events = (count.get(keep, end) as { n: number }).n
    erase.run(keep, end)
    const row = straddling.get(eventKey(num, 0), keep) as { key: number; n: number; body: string } | undefined
    if (row) {
      const kept = seqOfKey(keep) - seqOfKey(row.key) + 1
      if (kept < row.n) {
        shorten.run(kept, packedHead(row.body, kept), row.key)
        events += row.n - kept
      }
    }
    eraseRounds.run(keep, end)
    eraseSnapshots.run(keep, end)
    eraseRefs.run(num, seqOfKey(keep))
    erasePartRefs.run(num, seqOfKey(keep))
    blankClaims.run(num)
    eraseInvocations.run(num)
    eraseOutbox.run(num)
    return events
  }

  return (num: number): { events: number; blobs: number } => {
    let events = 0
    for (let next: { num: number } | undefined = { num }; next; next = deletedParent.get(next.num) as typeof next)
      events += purgeOne(next.num)
    eraseParts.run()
    return { events, blobs: Number(eraseBlobs.run().changes) }
  }
}
