/** The state of a session after the event with this `key`, without its texts. */
export const snapshots = `
CREATE TABLE snapshots (
  key INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  body TEXT NOT NULL
);
`
