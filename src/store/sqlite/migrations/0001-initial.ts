/**
 * `events.key` is session number × 2^26 + number of the first event in the row, so a session's log is
 * neighbouring rows and needs no index; a row has the `n` events of one commit as a JSON array.
 */
export const initial = `
CREATE TABLE events (
  key INTEGER PRIMARY KEY,
  n INTEGER NOT NULL,
  body TEXT NOT NULL
);

CREATE TABLE sessions (
  num INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  epoch INTEGER NOT NULL DEFAULT 1,
  parent INTEGER,
  parent_seq INTEGER,
  tenant TEXT NOT NULL DEFAULT '',
  owner TEXT NOT NULL DEFAULT '',
  workspace TEXT NOT NULL DEFAULT '',
  alias TEXT,
  title TEXT NOT NULL DEFAULT '',
  model TEXT,
  protocol TEXT,
  archived INTEGER NOT NULL DEFAULT 0,
  deleted INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX sessions_alias ON sessions (tenant, alias) WHERE alias IS NOT NULL;
CREATE INDEX sessions_parent ON sessions (parent) WHERE parent IS NOT NULL;

CREATE TABLE rounds (
  key INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL,
  start_seq INTEGER NOT NULL,
  end_seq INTEGER,
  state TEXT NOT NULL,
  waiting_for TEXT,
  protocol TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT NOT NULL,
  usage TEXT,
  cost INTEGER NOT NULL,
  finish_reason TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE UNIQUE INDEX rounds_request ON rounds (request_id);
CREATE INDEX rounds_open ON rounds (state) WHERE state <> 'ended';

CREATE TABLE approvals (
  id TEXT NOT NULL,
  session INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  args TEXT NOT NULL,
  target TEXT NOT NULL,
  reason TEXT NOT NULL,
  rememberable INTEGER NOT NULL,
  status TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_by TEXT,
  PRIMARY KEY (id, session)
);
CREATE INDEX approvals_pending ON approvals (status) WHERE status = 'pending';
CREATE INDEX approvals_session ON approvals (session);

CREATE TABLE calls (
  call_id TEXT NOT NULL,
  session INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  signature TEXT NOT NULL,
  outcome TEXT NOT NULL,
  effect TEXT NOT NULL,
  ended_at INTEGER NOT NULL,
  reconciled INTEGER,
  PRIMARY KEY (call_id, session)
);
CREATE INDEX calls_session ON calls (session);

CREATE TABLE inputs (
  id TEXT PRIMARY KEY,
  session INTEGER NOT NULL,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX inputs_session ON inputs (session, id);

CREATE TABLE claims (
  key TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  result TEXT NOT NULL,
  session INTEGER
) WITHOUT ROWID;

CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
);
CREATE TABLE blob_refs (
  hash TEXT NOT NULL,
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (hash, session, seq)
) WITHOUT ROWID;
CREATE INDEX blob_refs_session ON blob_refs (session, seq);

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  run_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX jobs_due ON jobs (run_at);
`
