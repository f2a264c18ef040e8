/** What runs outside of conversations, and every run of it. */
export const automations = `
CREATE TABLE automations (
  id text COLLATE "C" PRIMARY KEY,
  num bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  status text NOT NULL,
  created_by text NOT NULL,
  due_at bigint,
  revision integer NOT NULL,
  created_at bigint NOT NULL,
  body text NOT NULL
);
CREATE UNIQUE INDEX automations_name ON automations (tenant, kind, name) WHERE name IS NOT NULL;
CREATE INDEX automations_tenant ON automations (tenant, kind, num);
CREATE INDEX automations_active ON automations (kind, tenant) WHERE status = 'active';
-- Who calls a hook names no tenant.
CREATE INDEX automations_called ON automations (kind, name, num) WHERE status = 'active';
CREATE INDEX automations_due ON automations (due_at, num) WHERE status = 'active' AND due_at IS NOT NULL;

CREATE TABLE invocations (
  id text COLLATE "C" PRIMARY KEY,
  num bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text COLLATE "C" NOT NULL,
  automation_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  origin text NOT NULL,
  origin_id text COLLATE "C",
  user_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C",
  created_at bigint NOT NULL,
  status text NOT NULL,
  due_at bigint,
  ended_at bigint,
  revision integer NOT NULL,
  body text NOT NULL,
  content text,
  UNIQUE (tenant, key)
);
CREATE INDEX invocations_due ON invocations (due_at, num) WHERE due_at IS NOT NULL;
CREATE INDEX invocations_open ON invocations (tenant, automation_id) WHERE ended_at IS NULL;
CREATE INDEX invocations_ended ON invocations (ended_at, num) WHERE due_at IS NULL AND ended_at IS NOT NULL;
CREATE INDEX invocations_tenant ON invocations (tenant, created_at, num);
CREATE INDEX invocations_runs ON invocations (tenant, created_at, num) WHERE origin <> 'webhook';
CREATE INDEX invocations_automation ON invocations (tenant, automation_id, created_at, num);
CREATE INDEX invocations_user ON invocations (tenant, user_id, created_at, num);
CREATE INDEX invocations_session ON invocations (session_id) WHERE session_id IS NOT NULL;

ALTER TABLE outbox ADD COLUMN session_id text COLLATE "C", ADD COLUMN depth integer;
CREATE INDEX outbox_session ON outbox (session_id) WHERE session_id IS NOT NULL;

-- The server would keep samples of these beside the tables, also after the rows are erased.
ALTER TABLE automations ALTER name SET STATISTICS 0, ALTER body SET STATISTICS 0;
ALTER TABLE invocations ALTER body SET STATISTICS 0, ALTER content SET STATISTICS 0;
ALTER TABLE outbox ALTER payload SET STATISTICS 0;

-- Whoever deletes a session meanwhile waits, so that its purge finds what is stored.
CREATE FUNCTION put_outbox(events json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (id, type, tenant, user_id, session_id, at, depth, payload)
  SELECT e.id, e.type, e.tenant, e.user_id, e.session_id, e.at, e.depth, e.payload
  FROM ROWS FROM (json_to_recordset(events) AS (id text, type text, tenant text, user_id text, session_id text,
    at bigint, depth integer, payload text)) WITH ORDINALITY
    AS e (id, type, tenant, user_id, session_id, at, depth, payload, n)
  WHERE e.session_id IS NULL
    OR (SELECT h.deleted FROM heads h WHERE h.session_id = e.session_id FOR SHARE) IS NOT TRUE
  ORDER BY e.n ON CONFLICT (id) DO NOTHING;
END $$;

-- Changes with the events that automations may want to hear of; those without any go to commit_changes. A change whose
-- answer got lost may be told twice.
CREATE FUNCTION commit_telling(sent json[], bodies text[], events json[]) RETURNS text[] LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '10s' AS $$
DECLARE
  answers text[] := commit_changes(sent, bodies);
BEGIN
  FOR i IN 1 .. cardinality(sent) LOOP
    IF events[i] IS NOT NULL AND answers[i] = 'committed' THEN
      PERFORM put_outbox(events[i]);
    END IF;
  END LOOP;
  RETURN answers;
END $$;
`
