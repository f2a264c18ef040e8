export { startJobs, type JobOptions, type Jobs } from './jobs.ts'
export { watchReadiness } from './readiness.ts'
