import { JOB_COLUMNS, jobOfRow, jobViewOfRow, type JobRow } from '../job-row.ts'
import type { JobStore } from '../jobs.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import type { Base } from './base.ts'

/** Taking a job moves its time past the lease, so that it is due again if the process dies. */
export function jobStore({ db, group, withExtras, reading }: Base): JobStore {
  const take = db.prepare(
    `UPDATE jobs SET run_at = ?, attempts = attempts + 1
     WHERE id = (SELECT id FROM jobs WHERE parked_at IS NULL AND run_at <= ? ORDER BY run_at, id LIMIT 1) RETURNING ${JOB_COLUMNS}`,
  )
  const remove = db.prepare('DELETE FROM jobs WHERE id = ?')
  const move = db.prepare('UPDATE jobs SET run_at = ? WHERE id = ?')
  const park = db.prepare('UPDATE jobs SET parked_at = ?, reason = ? WHERE id = ?')
  const unpark = db.prepare(
    `UPDATE jobs SET parked_at = NULL, reason = NULL, attempts = 0, run_at = ? WHERE id = ? AND parked_at IS NOT NULL`,
  )
  const oldest = db.prepare(
    `SELECT ${JOB_COLUMNS} FROM jobs WHERE id > ? AND (? IS NULL OR (parked_at IS NOT NULL) = ?) ORDER BY id LIMIT ?`,
  )
  return {
    takeJob: (now, leaseMs) => group.run(() => viewOf(take.get(now + leaseMs, now), jobOfRow)),
    // No other process uses the file.
    takeSweeps: async (names) => names,
    finishJob: (id) => group.run(() => void remove.run(id)),
    retryJob: (id, runAt) => group.run(() => void move.run(runAt, id)),
    parkJob: (id, at, reason) => group.run(() => void park.run(at, reason, id)),
    unparkJob: async (id, runAt, audit = []) =>
      (await withExtras({ audit }, runAt, () => unpark.run(runAt, id).changes > 0)) === true,
    jobs: ({ state, limit = 50, cursor } = {}) =>
      reading(() => {
        const isParked = state === undefined ? null : Number(state === 'parked')
        const rows = oldest.all(parseCursor(cursor, 0), isParked, isParked, limit + 1) as unknown as JobRow[]
        return pageOf(rows, limit, jobViewOfRow, ({ id }) => id)
      }),
  }
}
