import type { Json } from '../contract/message.ts'

/** Work that was stored with what caused it (`Change.jobs`), and is done later. */
export interface JobStore {
  /** The next job that is due, hidden from others for `leaseMs`. */
  takeJob(now: number, leaseMs: number): Promise<Job | undefined>
  finishJob(id: number): Promise<void>
  retryJob(id: number, runAt: number): Promise<void>
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
