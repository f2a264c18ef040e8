export type { Store } from './store.ts'
export type {
  Blob,
  Change,
  Committed,
  Conflict,
  Elsewhere,
  EventSlice,
  ListedSnapshot,
  LogStore,
  Ownership,
  Range,
  Snapshot,
  StoredFile,
} from './log.ts'
export type { Claim, InboxStore, Repeated, Waits } from './inbox.ts'
export type {
  ApprovalQuery,
  Family,
  ListStore,
  Page,
  RoundQuery,
  SessionQuery,
  UnknownCallQuery,
  UsageQuery,
} from './lists.ts'
export type { AccountStore, Beside, WorkspaceChanges } from './accounts.ts'
export type { Entitlement, Left, MoneyStore, OverBudget, SpendingQuery, SpendingView } from './money.ts'
export type { AuditQuery, AuditStore } from './audit.ts'
export type { Job, JobQuery, JobStore, NewJob } from './jobs.ts'
export type {
  CheckReport,
  CompactWish,
  Compacted,
  Schema,
  UpkeepOptions,
  UpkeepProgress,
  UpkeepStore,
} from './upkeep.ts'
export { claimOf, earlierResult } from './claim-of.ts'
export { EVERYBODY } from './money.ts'
export { contentFree } from './content-free.ts'
export { eventSteps } from './event-steps.ts'
export { headAfter, NO_HEAD, sealFault, sealOf } from './seal.ts'
export { project } from './project.ts'
export type { Projection } from './project.ts'
