/** What a session came to at one number of its log, without its texts; `key` is that of the event. */
export const snapshots = `
CREATE TABLE snapshots (
  key INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  body TEXT NOT NULL
);
`
