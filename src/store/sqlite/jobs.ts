import type { DatabaseSync } from 'node:sqlite'
import type { Json } from '../../contract/message.ts'
import type { Job } from '../jobs.ts'

/** A job is taken by moving its time past the lease: if its worker dies, it is simply due again. */
export function jobsIn(db: DatabaseSync) {
  const take = db.prepare(
    `UPDATE jobs SET run_at = ?, attempts = attempts + 1
     WHERE id = (SELECT id FROM jobs WHERE run_at <= ? ORDER BY run_at, id LIMIT 1)
     RETURNING id, kind, payload, run_at, attempts`,
  )
  const remove = db.prepare('DELETE FROM jobs WHERE id = ?')
  const move = db.prepare('UPDATE jobs SET run_at = ? WHERE id = ?')
  return {
    take(now: number, leaseMs: number): Job | undefined {
      const row = take.get(now + leaseMs, now) as
        | { id: number; kind: string; payload: string; run_at: number; attempts: number }
        | undefined
      return (
        row && {
          id: row.id,
          kind: row.kind,
          payload: JSON.parse(row.payload) as Json,
          runAt: row.run_at,
          attempts: row.attempts,
        }
      )
    },
    finish: (id: number): void => void remove.run(id),
    retry: (id: number, runAt: number): void => void move.run(runAt, id),
  }
}
