/** A row has the records of one commit as a JSON array; `hash` covers it and every row before. */
export const audit = `
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash TEXT
);
`
