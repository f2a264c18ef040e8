/**
 * Keys start with the session's id, so that its events are neighbouring rows; a row has the events of one commit.
 * Bodies are text, because logs contain what jsonb refuses; text is compared by its bytes, as on SQLite.
 */
export const tables = `
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
  $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

CREATE TABLE nodes (
  id text COLLATE "C" PRIMARY KEY,
  url text,
  release text NOT NULL,
  version integer NOT NULL,
  joined_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  until bigint NOT NULL,
  evicted boolean NOT NULL DEFAULT false,
  left_at bigint,
  sessions integer NOT NULL DEFAULT 0,
  rounds integer NOT NULL DEFAULT 0,
  slots integer NOT NULL DEFAULT 0
);

-- The owner of a session and the end of its log: narrow, because every commit writes it.
CREATE TABLE heads (
  session_id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C",
  epoch integer NOT NULL DEFAULT 1,
  head integer NOT NULL,
  inbox integer NOT NULL DEFAULT 0,
  needs integer NOT NULL DEFAULT 0,
  evicted_at integer,
  deleted boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
CREATE INDEX heads_owner ON heads (owner) WHERE owner IS NOT NULL;

CREATE TABLE events (
  session_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  n integer NOT NULL,
  commit_id text COLLATE "C" NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (session_id, seq)
);

-- folded is the case-folded title for searching.
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  num bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  parent text COLLATE "C",
  parent_seq integer,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  owner text COLLATE "C" NOT NULL DEFAULT '',
  workspace text COLLATE "C" NOT NULL DEFAULT '',
  alias text COLLATE "C",
  title text NOT NULL DEFAULT '',
  folded text COLLATE "C" NOT NULL DEFAULT '',
  model text,
  protocol text,
  archived integer NOT NULL DEFAULT 0,
  deleted integer NOT NULL DEFAULT 0,
  created_at bigint NOT NULL DEFAULT 0,
  updated_at bigint NOT NULL DEFAULT 0,
  used_at bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX sessions_alias ON sessions (tenant, owner, alias) WHERE alias IS NOT NULL;
CREATE INDEX sessions_parent ON sessions (parent) WHERE parent IS NOT NULL;
-- A person's sessions, last used first; archived ones are separate.
CREATE INDEX sessions_used ON sessions (tenant, owner, archived, used_at, num) WHERE deleted = 0;

CREATE TABLE rounds (
  session_id text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  num bigint GENERATED ALWAYS AS IDENTITY,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  owner text COLLATE "C" NOT NULL DEFAULT '',
  start_seq integer NOT NULL,
  end_seq integer,
  state text NOT NULL,
  waiting_for text,
  waiting_until bigint,
  protocol text NOT NULL,
  mode text NOT NULL,
  model text COLLATE "C" NOT NULL,
  usage text,
  cost bigint NOT NULL,
  finish_reason text,
  started_at bigint NOT NULL,
  ended_at bigint,
  PRIMARY KEY (session_id, start_seq)
);
CREATE UNIQUE INDEX rounds_request ON rounds (request_id);
-- Open rounds, of all or of one person.
CREATE INDEX rounds_open ON rounds (state, tenant, owner) WHERE state <> 'ended';
CREATE INDEX rounds_busy ON rounds (session_id) WHERE state <> 'ended';
-- Newest first, of a tenant and of a person.
CREATE INDEX rounds_started ON rounds (tenant, started_at, num);
CREATE INDEX rounds_owner ON rounds (tenant, owner, started_at, num);
-- The usage of a tenant.
CREATE INDEX rounds_ended ON rounds (tenant, ended_at) WHERE state = 'ended';
-- Overdue rounds, queried every second.
CREATE INDEX rounds_due ON rounds (waiting_until) WHERE waiting_until IS NOT NULL;

CREATE TABLE approvals (
  id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  num bigint GENERATED ALWAYS AS IDENTITY,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  owner text COLLATE "C" NOT NULL DEFAULT '',
  request_id text COLLATE "C" NOT NULL,
  call_id text COLLATE "C" NOT NULL,
  tool text NOT NULL,
  args text NOT NULL,
  target text NOT NULL,
  reason text NOT NULL,
  rememberable integer NOT NULL,
  question integer NOT NULL,
  shown text,
  status text NOT NULL,
  requested_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  decided_by text,
  PRIMARY KEY (session_id, id)
);
CREATE INDEX approvals_id ON approvals (id);
-- A person's approvals in order, and the pending ones.
CREATE INDEX approvals_owner ON approvals (tenant, owner, num);
CREATE INDEX approvals_owner_pending ON approvals (tenant, owner, num) WHERE status = 'pending';

CREATE TABLE calls (
  call_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  num bigint GENERATED ALWAYS AS IDENTITY,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  owner text COLLATE "C" NOT NULL DEFAULT '',
  request_id text COLLATE "C" NOT NULL,
  tool text NOT NULL,
  signature text NOT NULL,
  outcome text NOT NULL,
  effect text NOT NULL,
  ended_at bigint NOT NULL,
  reconciled integer,
  PRIMARY KEY (session_id, call_id)
);
CREATE INDEX calls_id ON calls (call_id);
-- A person's calls in the order they ended.
CREATE INDEX calls_owner ON calls (tenant, owner, num);

-- Inputs for the owner of a session, ordered by n; the columns from kind to files repeat what is queried of the body.
CREATE TABLE inputs (
  session_id text COLLATE "C" NOT NULL,
  n integer NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  key text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  request_id text COLLATE "C",
  protocol text,
  mode text,
  model text COLLATE "C",
  decision text,
  files text[] NOT NULL DEFAULT '{}',
  at bigint NOT NULL,
  seen integer,
  body text NOT NULL,
  PRIMARY KEY (session_id, n),
  UNIQUE (session_id, key)
);
-- Queued messages, newest first, of a tenant and of a person.
CREATE INDEX inputs_queued ON inputs (tenant, at, owner) WHERE kind = 'message';
CREATE INDEX inputs_request ON inputs (request_id) WHERE kind = 'message';
-- The inputs that name a blob.
CREATE INDEX inputs_files ON inputs USING gin (files) WHERE files <> '{}';

CREATE TABLE claims (
  key text COLLATE "C" PRIMARY KEY,
  hash text NOT NULL,
  result text NOT NULL,
  session_id text COLLATE "C",
  commit_id text COLLATE "C",
  created_at bigint NOT NULL
);
CREATE INDEX claims_age ON claims (created_at);
CREATE INDEX claims_session ON claims (session_id) WHERE session_id IS NOT NULL;

CREATE TABLE blobs (
  hash text COLLATE "C" PRIMARY KEY,
  size bigint NOT NULL
);
CREATE TABLE blob_parts (
  hash text COLLATE "C" NOT NULL,
  n integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (hash, n)
);
CREATE TABLE blob_refs (
  hash text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  PRIMARY KEY (hash, session_id, seq)
);
CREATE INDEX blob_refs_session ON blob_refs (session_id, seq);

CREATE TABLE snapshots (
  session_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  version integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (session_id, seq)
);

-- Rows are sealed after they are written, in one order for all nodes; seq and hash are empty until then.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seq bigint UNIQUE,
  tenant text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  stored_at bigint NOT NULL DEFAULT now_ms(),
  body text NOT NULL,
  hash text
);
CREATE INDEX audit_unsealed ON audit (id) WHERE seq IS NULL;
CREATE INDEX audit_tenant ON audit (tenant, seq);
CREATE TABLE audit_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  seq bigint NOT NULL,
  hash text NOT NULL
);
INSERT INTO audit_head (seq, hash) VALUES (0, '');

CREATE TABLE jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  payload text NOT NULL,
  run_at bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  parked_at bigint,
  reason text
);
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE parked_at IS NULL;

-- Recurring work that one node does at a time, and when it is due again.
CREATE TABLE sweeps (name text COLLATE "C" PRIMARY KEY, next_at bigint NOT NULL);

CREATE TABLE keys (
  id text COLLATE "C" PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  scopes text,
  operator integer NOT NULL DEFAULT 0,
  hash text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint
);

CREATE TABLE workspaces (
  id text COLLATE "C" PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  name text NOT NULL,
  folder text NOT NULL,
  folder_by_owner integer NOT NULL DEFAULT 0,
  instructions text NOT NULL,
  instructions_by text,
  instructions_trusted integer NOT NULL DEFAULT 0,
  models text NOT NULL,
  mcp_servers text NOT NULL DEFAULT '[]',
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX workspaces_tenant ON workspaces (tenant, id);

CREATE TABLE kept (
  area text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (area, key)
);

-- Versions of what nodes cache in memory.
CREATE TABLE changes (area text COLLATE "C" PRIMARY KEY, version bigint NOT NULL);

CREATE TABLE pulse (one boolean PRIMARY KEY DEFAULT true CHECK (one), at bigint NOT NULL);
INSERT INTO pulse (at) VALUES (0);
`
