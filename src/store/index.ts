export type {
  ApprovalQuery,
  AuditQuery,
  Beside,
  Blob,
  Change,
  CheckReport,
  Claim,
  Committed,
  Compacted,
  Conflict,
  Entitlement,
  EventSlice,
  Family,
  Job,
  Left,
  NewJob,
  OverBudget,
  Ownership,
  Page,
  Range,
  Repeated,
  RoundQuery,
  Schema,
  SessionQuery,
  SpendingQuery,
  SpendingView,
  Store,
  StoredFile,
  UnknownCallQuery,
  WorkspaceChanges,
} from './store.ts'
export { EVERYBODY } from './store.ts'
export { contentFree } from './content-free.ts'
export { headAfter, NO_HEAD, sealFault, sealOf } from './seal.ts'
export { project } from './project.ts'
export type { Projection } from './project.ts'
