/** The head of the log when an input was deferred; the index is read every second. */
export const deferredInputs = `
ALTER TABLE inputs ADD COLUMN seen INTEGER;
CREATE INDEX inputs_seen ON inputs (session, seen);
`
