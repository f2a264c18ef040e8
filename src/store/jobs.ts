import type { AuditRecord } from '../contract/audit.ts'
import type { JobState, JobView } from '../contract/job.ts'
import type { Json } from '../contract/message.ts'
import type { Page } from './lists.ts'

/** Work that was stored with what caused it (`Change.jobs`), and is done later. */
export interface JobStore {
  /** The next job that is due and not parked, hidden from others for `leaseMs`. */
  takeJob(now: number, leaseMs: number): Promise<Job | undefined>
  finishJob(id: number): Promise<void>
  retryJob(id: number, runAt: number): Promise<void>
  /** It is not taken any more. `reason` is a word without content. */
  parkJob(id: number, at: number, reason: string): Promise<void>
  /** A parked job is due at `runAt`, and its attempts are counted anew. False if it is not parked or not there. */
  unparkJob(id: number, runAt: number, audit?: readonly AuditRecord[]): Promise<boolean>
  /** Oldest first. */
  jobs(query?: JobQuery): Promise<Page<JobView>>
}

export interface JobQuery {
  readonly state?: JobState
  readonly limit?: number
  readonly cursor?: string
}

export interface NewJob {
  readonly kind: string
  readonly payload: Json
  readonly runAt: number
}

export interface Job extends NewJob {
  readonly id: number
  readonly attempts: number
}
