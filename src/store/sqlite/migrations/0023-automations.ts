/** What runs outside of conversations, and every run of it. */
export const automations = `
CREATE TABLE automations (
  num INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT,
  status TEXT NOT NULL,
  created_by TEXT NOT NULL,
  due_at INTEGER,
  revision INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX automations_name ON automations (tenant, kind, name) WHERE name IS NOT NULL;
CREATE INDEX automations_tenant ON automations (tenant, kind, num);
CREATE INDEX automations_active ON automations (kind, tenant) WHERE status = 'active';
-- Who calls a hook names no tenant.
CREATE INDEX automations_called ON automations (kind, name) WHERE status = 'active';
CREATE INDEX automations_due ON automations (due_at) WHERE status = 'active' AND due_at IS NOT NULL;

CREATE TABLE invocations (
  num INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  tenant TEXT NOT NULL,
  automation_id TEXT NOT NULL,
  key TEXT NOT NULL,
  origin TEXT NOT NULL,
  origin_id TEXT,
  user_id TEXT NOT NULL,
  session_id TEXT,
  created_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  due_at INTEGER,
  ended_at INTEGER,
  revision INTEGER NOT NULL,
  body TEXT NOT NULL,
  content TEXT,
  UNIQUE (tenant, key)
);
-- With all that is asked of one that is due, because those whose have their share are passed over one by one.
CREATE INDEX invocations_due ON invocations (due_at, num, tenant, automation_id) WHERE due_at IS NOT NULL;
CREATE INDEX invocations_open ON invocations (tenant, automation_id) WHERE ended_at IS NULL;
CREATE INDEX invocations_ended ON invocations (ended_at) WHERE due_at IS NULL AND ended_at IS NOT NULL;
CREATE INDEX invocations_tenant ON invocations (tenant, created_at);
CREATE INDEX invocations_runs ON invocations (tenant, created_at) WHERE origin <> 'webhook';
CREATE INDEX invocations_automation ON invocations (tenant, automation_id, created_at);
CREATE INDEX invocations_user ON invocations (tenant, user_id, created_at);
CREATE INDEX invocations_session ON invocations (session_id) WHERE session_id IS NOT NULL;

ALTER TABLE outbox ADD COLUMN session_id TEXT;
ALTER TABLE outbox ADD COLUMN depth INTEGER;
CREATE INDEX outbox_session ON outbox (session_id) WHERE session_id IS NOT NULL;
`
