import type { JobView } from '../../contract/job.ts'
import type { Json } from '../../contract/message.ts'
import type { Job, JobStore } from '../jobs.ts'
import type { Base } from './base.ts'
import { filled, pageOf, placeAfter } from './page.ts'

interface Row extends Omit<Job, 'payload'> {
  payload: string
  parkedAt: number | null
  reason: string | null
}

const COLUMNS = 'id, kind, payload, run_at AS runAt, attempts, parked_at AS parkedAt, reason'

/** A job is taken by moving its time past the lease: if its worker dies, it is simply due again. */
export function jobStore({ db, group, beside, reading }: Base): JobStore {
  const take = db.prepare(
    `UPDATE jobs SET run_at = ?, attempts = attempts + 1
     WHERE id = (SELECT id FROM jobs WHERE parked_at IS NULL AND run_at <= ? ORDER BY run_at, id LIMIT 1) RETURNING ${COLUMNS}`,
  )
  const remove = db.prepare('DELETE FROM jobs WHERE id = ?')
  const move = db.prepare('UPDATE jobs SET run_at = ? WHERE id = ?')
  const park = db.prepare('UPDATE jobs SET parked_at = ?, reason = ? WHERE id = ?')
  const unpark = db.prepare(
    `UPDATE jobs SET parked_at = NULL, reason = NULL, attempts = 0, run_at = ? WHERE id = ? AND parked_at IS NOT NULL`,
  )
  const oldest = db.prepare(
    `SELECT ${COLUMNS} FROM jobs WHERE id > ? AND (? IS NULL OR (parked_at IS NOT NULL) = ?) ORDER BY id LIMIT ?`,
  )
  return {
    takeJob: (now, leaseMs) =>
      group.run(() => {
        const row = take.get(now + leaseMs, now) as unknown as Row | undefined
        if (!row) return undefined
        const { id, kind, payload, runAt, attempts } = row
        return { id, kind, payload: payloadIn(payload), runAt, attempts }
      }),
    finishJob: (id) => group.run(() => void remove.run(id)),
    retryJob: (id, runAt) => group.run(() => void move.run(runAt, id)),
    parkJob: (id, at, reason) => group.run(() => void park.run(at, reason, id)),
    unparkJob: async (id, runAt, audit = []) =>
      (await beside({ audit }, runAt, () => unpark.run(runAt, id).changes > 0)) === true,
    jobs: ({ state, limit = 50, cursor } = {}) =>
      reading(() => {
        const isParked = state === undefined ? null : Number(state === 'parked')
        const rows = oldest.all(placeAfter(cursor, 0), isParked, isParked, limit + 1) as unknown as Row[]
        return pageOf(rows, limit, view, ({ id }) => id)
      }),
  }
}

/** What is damaged is nothing: its handler fails, and it is parked like any other that does. */
function payloadIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

function view({ payload: _, ...row }: Row): JobView {
  return { ...filled(row), state: row.parkedAt === null ? 'waiting' : 'parked' }
}
