/** With which number of the log an input was looked at that has to wait on; the index is read every second. */
export const lookedAt = `
ALTER TABLE inputs ADD COLUMN seen INTEGER;
CREATE INDEX inputs_seen ON inputs (session, seen);
`
