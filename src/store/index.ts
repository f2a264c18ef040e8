export type {
  ApprovalQuery,
  AuditQuery,
  Page,
  Range,
  RoundQuery,
  SessionQuery,
  SpendingQuery,
  UnknownCallQuery,
} from './queries.ts'
export type {
  Beside,
  Blob,
  Change,
  CheckReport,
  Claim,
  Committed,
  Compacted,
  CompactWish,
  Conflict,
  Entitlement,
  EventSlice,
  Family,
  Job,
  Left,
  NewJob,
  OverBudget,
  Ownership,
  Repeated,
  Schema,
  SpendingView,
  Store,
  StoredFile,
  Waits,
  WorkspaceChanges,
  UpkeepOptions,
  UpkeepProgress,
} from './store.ts'
export { EVERYBODY } from './store.ts'
export { contentFree } from './content-free.ts'
export { eventSteps } from './event-steps.ts'
export { headAfter, NO_HEAD, sealFault, sealOf } from './seal.ts'
export { project } from './project.ts'
export type { Projection } from './project.ts'
