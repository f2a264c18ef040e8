/** When and why a job was parked. */
export const parkedJobs = `
ALTER TABLE jobs ADD COLUMN parked_at INTEGER;
ALTER TABLE jobs ADD COLUMN reason TEXT;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (run_at) WHERE parked_at IS NULL;
`
