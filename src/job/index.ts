export { createJobService, type JobService } from './job-service.ts'
export { startJobs, type JobOptions } from './jobs.ts'
export { createUpkeep, type Upkeep, type WorkView } from './upkeep.ts'
export { watchReadiness } from './readiness.ts'
