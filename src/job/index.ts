export { startJobs, type Jobs } from './jobs.ts'
export { watchReadiness } from './readiness.ts'
