/**
 * Documents, memories, and what others may want to hear of. The chunks of a version are those of its `body`: they are
 * stored in slices before the version names them, and a body that no version names is erased at the next start. The
 * number of a body is random and that of a chunk is never used again, so that an index that is behind, or of another
 * copy of this file, cannot mistake one for another.
 */
export const knowledge = `
CREATE TABLE documents (
  num INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  title TEXT NOT NULL,
  content_type TEXT NOT NULL,
  source TEXT,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  published_version INTEGER,
  author TEXT NOT NULL,
  editors TEXT NOT NULL,
  reviewer TEXT,
  self_approved INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  published_at INTEGER,
  revision INTEGER NOT NULL
);
CREATE INDEX documents_tenant ON documents (tenant, num);
CREATE UNIQUE INDEX documents_source ON documents (tenant, workspace_id, source) WHERE source IS NOT NULL;
CREATE UNIQUE INDEX documents_content ON documents (tenant, workspace_id, hash) WHERE source IS NULL;
CREATE INDEX documents_hash ON documents (tenant, workspace_id, hash);
CREATE INDEX documents_published ON documents (tenant) WHERE published_version IS NOT NULL;

CREATE TABLE document_versions (
  document INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body INTEGER NOT NULL UNIQUE,
  chunks INTEGER NOT NULL,
  PRIMARY KEY (document, version)
) WITHOUT ROWID;

CREATE TABLE bodies (num INTEGER PRIMARY KEY);

CREATE TABLE chunks (
  num INTEGER PRIMARY KEY AUTOINCREMENT,
  body INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  place TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (body, chunk)
);

CREATE TABLE chunk_vectors (
  num INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  chunk INTEGER NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (model, chunk)
);
CREATE INDEX chunk_vectors_chunk ON chunk_vectors (chunk);

CREATE TABLE memories (
  num INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  content TEXT NOT NULL,
  category TEXT NOT NULL,
  importance INTEGER NOT NULL,
  status TEXT NOT NULL,
  method TEXT NOT NULL,
  source TEXT NOT NULL,
  session_id TEXT,
  event_id TEXT,
  supersedes TEXT,
  model TEXT,
  vector BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL
);
CREATE INDEX memories_user ON memories (tenant, user_id, num);

CREATE TABLE outbox (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  tenant TEXT NOT NULL,
  user_id TEXT,
  at INTEGER NOT NULL,
  payload TEXT NOT NULL
);
CREATE INDEX outbox_at ON outbox (at);
CREATE INDEX outbox_user ON outbox (tenant, user_id) WHERE user_id IS NOT NULL;
`
