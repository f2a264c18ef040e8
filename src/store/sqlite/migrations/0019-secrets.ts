/** Encrypted secrets, the id of the key they are encrypted with, and providers set over HTTP. */
export const secrets = `
CREATE TABLE secrets (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  key_id TEXT NOT NULL,
  encrypted TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, name)
) WITHOUT ROWID;

CREATE TABLE secret_key (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL
);

CREATE TABLE providers (
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;
`
