/** Jobs that failed too often are parked: they keep when and why, and are not looked at when the next one is taken. */
export const parkedJobs = `
ALTER TABLE jobs ADD COLUMN parked_at INTEGER;
ALTER TABLE jobs ADD COLUMN reason TEXT;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (run_at) WHERE parked_at IS NULL;
`
