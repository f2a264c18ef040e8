import type { AuditRecord } from '../../contract/audit.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { JOB_COLUMNS, jobOfRow, jobViewOfRow, type JobRow } from '../job-row.ts'
import type { JobStore } from '../jobs.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import type { Base } from './base.ts'

/** Taking a job moves its time past the lease, so that it is due again if the node dies; locked ones are skipped. */
export function jobStore({ query, withExtras }: Base): JobStore {
  const inTurn = oneAtATime<boolean>()

  async function unpark(id: number, runAt: number, audit: readonly AuditRecord[]): Promise<boolean> {
    const due = await withExtras({ audit }, runAt, async (within) => {
      const rows = await within(
        `UPDATE jobs SET parked_at = NULL, reason = NULL, attempts = 0, run_at = $1
         WHERE id = $2 AND parked_at IS NOT NULL RETURNING id`,
        [runAt, id],
      )
      return rows.length > 0
    })
    return due === true
  }

  return {
    async takeJob(now, leaseMs) {
      const [row] = await query<JobRow>(
        `UPDATE jobs SET run_at = $1, attempts = attempts + 1 WHERE id =
         (SELECT id FROM jobs WHERE parked_at IS NULL AND run_at <= $2 ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING ${JOB_COLUMNS}`,
        [now + leaseMs, now],
      )
      return viewOf(row, jobOfRow)
    },
    async takeSweeps(names, everyMs) {
      const taken = await query<{ name: string }>(
        `INSERT INTO sweeps (name, next_at) SELECT name, now_ms() + $2 FROM unnest($1::text[]) AS name
         ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE sweeps.next_at <= now_ms() RETURNING name`,
        [names, everyMs],
      )
      return taken.map(({ name }) => name)
    },
    async finishJob(id) {
      await query('DELETE FROM jobs WHERE id = $1', [id])
    },
    async retryJob(id, runAt) {
      await query('UPDATE jobs SET run_at = $1 WHERE id = $2', [runAt, id])
    },
    async parkJob(id, at, reason) {
      await query('UPDATE jobs SET parked_at = $1, reason = $2 WHERE id = $3', [at, reason, id])
    },
    // Of two callers in this process, only the first gets true.
    unparkJob: (id, runAt, audit = []) => inTurn(String(id), () => unpark(id, runAt, audit)),
    async jobs({ state, limit = 50, cursor } = {}) {
      const rows = await query<JobRow>(
        `SELECT ${JOB_COLUMNS} FROM jobs
         WHERE id > $1 AND ($2::boolean IS NULL OR (parked_at IS NOT NULL) = $2) ORDER BY id LIMIT $3`,
        [parseCursor(cursor, 0), state === undefined ? null : state === 'parked', limit + 1],
      )
      return pageOf(rows, limit, jobViewOfRow, ({ id }) => id)
    },
  }
}
