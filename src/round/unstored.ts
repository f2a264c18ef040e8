import type { AuditRecord } from '../contract/audit.ts'
import type { AutomationEvent } from '../contract/automation.ts'
import type { NewEvent } from '../contract/event.ts'
import type { KnownJob } from '../contract/job.ts'
import type { Blob, StoredPart } from '../store/index.ts'

/** Events that are appended only if they can be stored, `passed` milliseconds after the last one. */
export interface Extra {
  readonly events: readonly NewEvent[]
  readonly passed: number
}

export const NOTHING: Extra = { events: [], passed: 0 }

export const nothingUnstored = () => ({
  events: [] as NewEvent[],
  consumed: [] as string[],
  deferred: [] as string[],
  blobs: [] as Blob[],
  jobs: [] as KnownJob[],
  parts: [] as StoredPart[],
  audit: [] as AuditRecord[],
  outbox: [] as AutomationEvent[],
})
