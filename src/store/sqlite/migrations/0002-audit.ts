/** A row holds what one commit recorded, as a JSON array. `hash` seals it and every row before it. */
export const audit = `
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash TEXT
);
`
