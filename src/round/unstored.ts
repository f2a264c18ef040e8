import type { AuditRecord } from '../contract/audit.ts'
import type { NewEvent } from '../contract/event.ts'
import type { KnownJob } from '../contract/job.ts'
import type { Blob } from '../store/index.ts'

/** What the next commit stores. */
export interface Unstored {
  readonly events: NewEvent[]
  readonly consumed: string[]
  looked: readonly string[]
  readonly blobs: Blob[]
  readonly jobs: KnownJob[]
  readonly audit: AuditRecord[]
}

export const nothingUnstored = (): Unstored => ({
  events: [],
  consumed: [],
  looked: [],
  blobs: [],
  jobs: [],
  audit: [],
})
