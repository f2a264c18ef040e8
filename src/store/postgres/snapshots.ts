import type { LogStore, Snapshot } from '../log.ts'
import type { Query } from './database.ts'
import { MAX_SEQ } from './read-events.ts'

/** Places are ordered by session and then by number, within JavaScript's safe integers. */
const SESSION = 2 ** 26

// FOR SHARE, so that the session is not deleted and purged before the snapshot is visible.
const PUT = `
  INSERT INTO snapshots (session_id, seq, version, body)
  SELECT session_id, $2, $3, $4 FROM heads WHERE session_id = $1 AND NOT deleted FOR SHARE
  ON CONFLICT (session_id, seq) DO UPDATE SET version = excluded.version, body = excluded.body`

const FIND = `
  SELECT p.seq, p.version, p.body FROM lineage($1, $2) l
  JOIN snapshots p ON p.session_id = l.id AND p.seq BETWEEN l.first AND l.last AND p.version = $3
  WHERE EXISTS (SELECT FROM sessions s WHERE s.id = $1 AND s.deleted = 0)
  ORDER BY p.seq DESC LIMIT 1`

// A snapshot of a deleted session is read through a living fork.
const LIST = `
  SELECT s.num, p.seq, p.version, p.body, CASE WHEN s.deleted = 0 THEN s.id ELSE (
    WITH RECURSIVE forks AS (
      SELECT f.id, f.num, f.deleted FROM sessions f WHERE f.parent = s.id AND f.parent_seq >= p.seq
      UNION ALL
      SELECT f.id, f.num, f.deleted FROM forks JOIN sessions f ON f.parent = forks.id AND f.parent_seq >= p.seq
      WHERE forks.deleted = 1)
    SELECT id FROM forks WHERE deleted = 0 ORDER BY num LIMIT 1) END AS session_id
  FROM sessions s JOIN snapshots p ON p.session_id = s.id
  WHERE s.num >= $1 AND (s.num > $1 OR p.seq > $2) ORDER BY s.num, p.seq LIMIT $3`

interface Listed extends Snapshot {
  readonly num: number
  readonly session_id: string | null
}

export function snapshotsIn(query: Query): Pick<LogStore, 'putSnapshot' | 'snapshot' | 'snapshots'> {
  return {
    async putSnapshot(sessionId, { seq, version, body }) {
      await query(PUT, [sessionId, seq, version, body])
    },
    async snapshot(sessionId, version, upTo = MAX_SEQ) {
      const [row] = await query<Snapshot>(FIND, [sessionId, Math.min(upTo, MAX_SEQ), version])
      return row
    },
    async snapshots(after, limit) {
      const rows = await query<Listed>(LIST, [Math.floor(after / SESSION), after % SESSION, limit])
      return rows.map(({ num, session_id, ...snapshot }) => ({
        place: num * SESSION + snapshot.seq,
        sessionId: session_id ?? undefined,
        ...snapshot,
      }))
    },
  }
}
