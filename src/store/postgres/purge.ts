import { packedHead } from '../pack-events.ts'
import type { Base } from './base.ts'
import type { Query } from './database.ts'
import { eraseContent } from './invocations.ts'

/** The highest number that living forks still read here, directly or through deleted forks. */
const SHARED = `
  WITH RECURSIVE forks AS (
    SELECT id, parent_seq AS reads, deleted FROM sessions WHERE parent = $1
    UNION ALL
    SELECT s.id, least(forks.reads, s.parent_seq), s.deleted FROM forks JOIN sessions s ON s.parent = forks.id
    WHERE forks.deleted = 1)
  SELECT coalesce(max(reads), 0) AS shared FROM forks WHERE deleted = 0`

const ERASE_EVENTS = `
  WITH gone AS (DELETE FROM events WHERE session_id = $1 AND seq > $2 RETURNING n)
  SELECT coalesce(sum(n), 0)::bigint AS n FROM gone`
const STRADDLING = 'SELECT seq, n, body FROM events WHERE session_id = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1'
const ERASE_REFS = `
  WITH gone AS (DELETE FROM blob_refs WHERE session_id = $1 AND seq > $2 RETURNING hash)
  SELECT DISTINCT hash FROM gone`
const ERASE_PART_REFS = 'DELETE FROM part_refs WHERE session_id = $1 AND seq > $2 RETURNING hash'
// The key stays taken, but its result is erased.
const BLANK_CLAIMS = `UPDATE claims SET hash = '', result = 'null' WHERE session_id = $1`

/**
 * Erases a deleted session's events, what its invocations were given and gave, and the blobs and parts that nobody else
 * refers to; what living forks share stays until the last of them is deleted.
 */
export function purgeIn({ transaction }: Pick<Base, 'transaction'>) {
  return (sessionId: string): Promise<{ events: number; blobs: number }> =>
    transaction(async (query) => {
      let events = 0
      const freed: string[] = []
      const parts: string[] = []
      for (let id = await deleted(query, sessionId); id !== undefined; id = await deletedParent(query, id)) {
        const one = await purgeOne(query, id)
        events += one.events
        freed.push(...one.freed)
        parts.push(...one.parts)
      }
      await query('SELECT erase_unnamed_parts($1)', [parts])
      const [erased] = await query<{ blobs: number }>('SELECT erase_unnamed($1) AS blobs', [freed])
      return { events, blobs: erased?.blobs ?? 0 }
    })
}

async function deleted(query: Query, id: string): Promise<string | undefined> {
  return (await query<{ id: string }>('SELECT id FROM sessions WHERE id = $1 AND deleted = 1', [id]))[0]?.id
}

async function deletedParent(query: Query, id: string): Promise<string | undefined> {
  const [row] = await query<{ parent: string | null }>('SELECT parent FROM sessions WHERE id = $1', [id])
  return row?.parent == null ? undefined : deleted(query, row.parent)
}

interface Purged {
  readonly events: number
  /** blobs that may be named no more */
  readonly freed: readonly string[]
  /** parts that may be named no more */
  readonly parts: readonly string[]
}

async function purgeOne(query: Query, id: string): Promise<Purged> {
  // Two purges of the same session run one after the other.
  await query('SELECT FROM heads WHERE session_id = $1 FOR UPDATE', [id])
  const keep = (await query<{ shared: number }>(SHARED, [id]))[0]?.shared ?? 0
  let events = (await query<{ n: number }>(ERASE_EVENTS, [id, keep]))[0]?.n ?? 0
  const [row] = await query<{ seq: number; n: number; body: string }>(STRADDLING, [id, keep])
  const kept = row ? keep - row.seq + 1 : 0
  if (row && kept < row.n) {
    const values = [id, row.seq, kept, packedHead(row.body, kept)]
    await query('UPDATE events SET n = $3, body = $4 WHERE session_id = $1 AND seq = $2', values)
    events += row.n - kept
  }
  await query('DELETE FROM rounds WHERE session_id = $1 AND start_seq > $2', [id, keep])
  await query('DELETE FROM snapshots WHERE session_id = $1 AND seq > $2', [id, keep])
  await query(BLANK_CLAIMS, [id])
  await query(eraseContent('session_id = $1'), [id])
  await query('DELETE FROM outbox WHERE session_id = $1', [id])
  const freed = await query<{ hash: string }>(ERASE_REFS, [id, keep])
  const parts = await query<{ hash: string }>(ERASE_PART_REFS, [id, keep])
  return { events, freed: freed.map(({ hash }) => hash), parts: parts.map(({ hash }) => hash) }
}
