export type {
  Blob,
  Change,
  CheckReport,
  Claim,
  Committed,
  Conflict,
  Job,
  NewJob,
  Ownership,
  Page,
  Range,
  Repeated,
  SessionQuery,
  Store,
} from './store.ts'
export { project } from './project.ts'
export type { Projection } from './project.ts'
