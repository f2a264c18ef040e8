export type {
  ApprovalQuery,
  AuditQuery,
  Beside,
  Blob,
  Change,
  CheckReport,
  Claim,
  Committed,
  Conflict,
  EventSlice,
  Job,
  NewJob,
  Ownership,
  Page,
  Range,
  Repeated,
  SessionQuery,
  Store,
  StoredFile,
  UnknownCallQuery,
  WorkspaceChanges,
} from './store.ts'
export { contentFree } from './content-free.ts'
export { headAfter, NO_HEAD, sealFault, sealOf } from './seal.ts'
export { project } from './project.ts'
export type { Projection } from './project.ts'
