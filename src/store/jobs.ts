import type { AuditRecord } from '../contract/audit.ts'
import type { JobState, JobView } from '../contract/job.ts'
import type { Json } from '../contract/message.ts'
import type { Page, PageQuery } from './lists.ts'

/** Work that is stored with its cause (`Change.jobs`) and done later. */
export interface JobStore {
  /** The next job that is due and not parked, hidden from others for `leaseMs`. */
  takeJob(now: number, leaseMs: number): Promise<Job | undefined>
  finishJob(id: number): Promise<void>
  retryJob(id: number, runAt: number): Promise<void>
  /** Stops the job from being taken; `reason` is a code without content. */
  parkJob(id: number, at: number, reason: string): Promise<void>
  /** Makes a parked job due at `runAt` with zero attempts; false if there is no such parked job. */
  unparkJob(id: number, runAt: number, audit?: readonly AuditRecord[]): Promise<boolean>
  /** Of these recurring tasks, those that fall to this process now; no process gets them again for `everyMs`. */
  takeSweeps(names: readonly string[], everyMs: number): Promise<readonly string[]>
  /** Oldest first. */
  jobs(query?: JobQuery): Promise<Page<JobView>>
}

export interface JobQuery extends PageQuery {
  readonly state?: JobState
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
