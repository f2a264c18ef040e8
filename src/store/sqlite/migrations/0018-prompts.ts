/**
 * What assistants are told besides the conversation. `parts` holds the texts that events name by their hash; `owner` is
 * the user whose words a text has. In `part_refs`, `seq` is the first event of the session that names the part.
 */
export const prompts = `
CREATE TABLE prompts (
  num INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  status TEXT NOT NULL,
  author TEXT NOT NULL,
  editors TEXT NOT NULL,
  reviewer TEXT,
  self_approved INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  tokens INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  activated_at INTEGER,
  revision INTEGER NOT NULL,
  UNIQUE (tenant, workspace_id, name, version)
);
CREATE UNIQUE INDEX prompts_active ON prompts (tenant, workspace_id) WHERE status = 'active';
CREATE INDEX prompts_tenant ON prompts (tenant, num);

CREATE TABLE preferences (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  body TEXT NOT NULL,
  version INTEGER NOT NULL,
  salt TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id)
) WITHOUT ROWID;

CREATE TABLE parts (
  hash TEXT PRIMARY KEY,
  tenant TEXT NOT NULL,
  owner TEXT,
  salt TEXT,
  text TEXT NOT NULL
);
CREATE INDEX parts_owner ON parts (tenant, owner) WHERE owner IS NOT NULL;

CREATE TABLE part_refs (
  hash TEXT NOT NULL,
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (hash, session)
) WITHOUT ROWID;
CREATE INDEX part_refs_session ON part_refs (session, seq);
`
