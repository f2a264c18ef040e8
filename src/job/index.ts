export { startJobs, type Jobs } from './jobs.ts'
