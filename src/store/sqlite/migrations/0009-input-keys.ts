/** Of inputs that wait, a session has at most one under each key. */
export const inputKeys = `
UPDATE inputs SET key = id WHERE rowid NOT IN (SELECT min(rowid) FROM inputs GROUP BY session, key);
CREATE UNIQUE INDEX inputs_key ON inputs (session, key);
DROP INDEX inputs_session;
`
