import type { JobView } from '../contract/job.ts'
import type { Json } from '../contract/message.ts'
import type { Job } from './jobs.ts'
import { withoutNulls } from './page.ts'

export interface JobRow extends Omit<Job, 'payload'> {
  payload: string
  parkedAt: number | null
  reason: string | null
}

export const JOB_COLUMNS = 'id, kind, payload, run_at AS "runAt", attempts, parked_at AS "parkedAt", reason'

export function jobOfRow({ id, kind, payload, runAt, attempts }: JobRow): Job {
  return { id, kind, payload: payloadIn(payload), runAt, attempts }
}

/** A damaged payload is null: its handler fails and the job is parked like any other. */
function payloadIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

export function jobViewOfRow({ payload: _, ...row }: JobRow): JobView {
  return { ...withoutNulls(row), state: row.parkedAt === null ? 'waiting' : 'parked' }
}
