/** A session has at most one waiting input per key. */
export const inputKeys = `
UPDATE inputs SET key = id WHERE rowid NOT IN (SELECT min(rowid) FROM inputs GROUP BY session, key);
CREATE UNIQUE INDEX inputs_key ON inputs (session, key);
DROP INDEX inputs_session;
`
