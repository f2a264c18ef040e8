export { startJobs, type JobOptions, type Jobs } from './jobs.ts'
export type { QuietHours } from './rewrite-in-quiet.ts'
export { createUpkeep, type Upkeep, type WorkView } from './upkeep.ts'
export { watchReadiness } from './readiness.ts'
