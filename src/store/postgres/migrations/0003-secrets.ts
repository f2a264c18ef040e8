/** Encrypted secrets, the id of the key they are encrypted with, and providers set over HTTP. */
export const secrets = `
CREATE TABLE secrets (
  tenant text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  key_id text NOT NULL,
  encrypted text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant, name)
);

CREATE TABLE secret_key (
  one integer PRIMARY KEY CHECK (one = 1),
  id text NOT NULL
);

CREATE TABLE providers (
  name text COLLATE "C" PRIMARY KEY,
  body text NOT NULL,
  updated_at bigint NOT NULL
);
`
