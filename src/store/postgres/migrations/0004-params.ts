/** How the model of a session is to answer, as JSON. The functions are the earlier ones with this column more. */
export const params = `
ALTER TABLE sessions ADD COLUMN params text;

CREATE OR REPLACE FUNCTION create_session(c change) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made sessions := json_populate_record(NULL::sessions, c.session);
  parent heads;
BEGIN
  IF EXISTS (SELECT FROM sessions WHERE id = c.session_id) OR made.alias IS NOT NULL AND EXISTS (SELECT FROM sessions s
    WHERE s.tenant = made.tenant AND s.owner = made.owner AND s.alias = made.alias) THEN
    PERFORM refuse(CASE WHEN is_stored(c) THEN 'committed' ELSE 'exists' END);
  END IF;
  IF c.parent IS NOT NULL THEN
    -- Locked, so that the parent is not deleted and purged before the fork is visible.
    SELECT * INTO parent FROM heads WHERE session_id = c.parent AND NOT deleted FOR SHARE;
    IF NOT FOUND THEN
      PERFORM refuse('gone');
    END IF;
  END IF;
  IF c.expected <> coalesce(c.parent_seq, 0) OR c.expected > coalesce(parent.head, 0) THEN
    PERFORM refuse('number');
  END IF;
  INSERT INTO sessions (id, parent, parent_seq, tenant, owner, workspace, alias, title, folded, model, protocol, params,
    archived, deleted, created_at, updated_at, used_at)
  VALUES (c.session_id, c.parent, c.parent_seq, coalesce(made.tenant, ''), coalesce(made.owner, ''),
    coalesce(made.workspace, ''), made.alias, coalesce(made.title, ''),
    coalesce(made.folded, ''), made.model, made.protocol, made.params,
    coalesce(made.archived, 0), coalesce(made.deleted, 0), coalesce(made.created_at, 0), coalesce(made.updated_at, 0),
    coalesce(made.used_at, 0))
  ON CONFLICT DO NOTHING;
  -- If it was sent twice, it may have waited for itself.
  IF NOT FOUND THEN
    PERFORM refuse(CASE WHEN is_stored(c) THEN 'committed' ELSE 'exists' END);
  END IF;
  INSERT INTO heads (session_id, owner, epoch, head, needs, deleted)
  VALUES (c.session_id, CASE WHEN c.deletes THEN NULL ELSE c.node END, 1, c.expected + c.n,
    greatest(parent.needs, c.needs), c.deletes);
END $$;

CREATE OR REPLACE FUNCTION write_rows(c change) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  files text[];
BEGIN
  IF c.session IS NOT NULL AND NOT c.creates THEN
    UPDATE sessions s SET (alias, title, folded, model, protocol, params, archived, deleted, updated_at,
        used_at) =
      (SELECT r.alias, r.title, r.folded, r.model, r.protocol, r.params, r.archived, r.deleted, r.updated_at,
         r.used_at
       FROM json_populate_record(s, c.session) r)
    WHERE s.id = c.session_id;
  END IF;
  IF c.new_rounds IS NOT NULL THEN
    INSERT INTO rounds (session_id, request_id, tenant, owner, start_seq, end_seq, state, waiting_for, waiting_until,
      protocol, mode, model, usage, cost, finish_reason, started_at, ended_at)
    SELECT c.session_id, r.request_id, s.tenant, s.owner, r.start_seq, r.end_seq, r.state, r.waiting_for,
      r.waiting_until, r.protocol, r.mode, r.model, r.usage, r.cost, r.finish_reason, r.started_at, r.ended_at
    FROM sessions s, json_populate_recordset(NULL::rounds, c.new_rounds) r WHERE s.id = c.session_id;
  END IF;
  IF c.rounds IS NOT NULL THEN
    UPDATE rounds t SET (end_seq, state, waiting_for, waiting_until, model, usage, cost, finish_reason, ended_at) =
      (SELECT r.end_seq, r.state, r.waiting_for, r.waiting_until, r.model, r.usage, r.cost, r.finish_reason, r.ended_at
       FROM json_populate_record(t, p.set) r)
    FROM json_to_recordset(c.rounds) AS p (key text, set json)
    WHERE t.request_id = p.key AND t.session_id = c.session_id;
  END IF;
  IF c.new_approvals IS NOT NULL THEN
    INSERT INTO approvals (id, session_id, tenant, owner, request_id, call_id, tool, args, target, reason, rememberable,
      question, shown, status, requested_at, expires_at, decided_by)
    SELECT r.id, c.session_id, s.tenant, s.owner, r.request_id, r.call_id, r.tool, r.args, r.target, r.reason,
      r.rememberable, r.question, r.shown, r.status, r.requested_at, r.expires_at, r.decided_by
    FROM sessions s, json_populate_recordset(NULL::approvals, c.new_approvals) r WHERE s.id = c.session_id;
  END IF;
  IF c.approvals IS NOT NULL THEN
    UPDATE approvals t SET (status, decided_by) =
      (SELECT r.status, r.decided_by FROM json_populate_record(t, p.set) r)
    FROM json_to_recordset(c.approvals) AS p (key text, set json)
    WHERE t.session_id = c.session_id AND t.id = p.key;
  END IF;
  IF c.new_calls IS NOT NULL THEN
    INSERT INTO calls (call_id, session_id, tenant, owner, request_id, tool, signature, outcome, effect, ended_at,
      reconciled)
    SELECT r.call_id, c.session_id, s.tenant, s.owner, r.request_id, r.tool, r.signature, r.outcome, r.effect,
      r.ended_at, r.reconciled
    FROM sessions s, json_populate_recordset(NULL::calls, c.new_calls) r WHERE s.id = c.session_id;
  END IF;
  IF c.calls IS NOT NULL THEN
    UPDATE calls t SET (effect, reconciled) = (SELECT r.effect, r.reconciled FROM json_populate_record(t, p.set) r)
    FROM json_to_recordset(c.calls) AS p (key text, set json)
    WHERE t.session_id = c.session_id AND t.call_id = p.key;
  END IF;
  IF c.refs IS NOT NULL THEN
    INSERT INTO blob_refs (hash, session_id, seq)
    SELECT r.hash, c.session_id, r.seq FROM json_to_recordset(c.refs) AS r (hash text, seq integer)
    ON CONFLICT DO NOTHING;
  END IF;
  IF c.looked IS NOT NULL THEN
    UPDATE inputs SET seen = c.expected + c.n WHERE id = ANY (c.looked);
  END IF;
  IF c.deletes THEN
    DELETE FROM approvals WHERE session_id = c.session_id;
    DELETE FROM calls WHERE session_id = c.session_id;
  END IF;
  IF c.consumed IS NOT NULL OR c.deletes THEN
    WITH gone AS (
      DELETE FROM inputs WHERE id = ANY (c.consumed) OR c.deletes AND session_id = c.session_id RETURNING inputs.files)
    SELECT array_agg(DISTINCT file) INTO files FROM gone, unnest(gone.files) file;
    -- Files that only the consumed input named, such as those of a cancelled message, go with it.
    IF files IS NOT NULL THEN
      PERFORM erase_unnamed(files);
    END IF;
  END IF;
  IF c.jobs IS NOT NULL THEN
    INSERT INTO jobs (kind, payload, run_at)
    SELECT j.kind, j.payload, j.run_at FROM json_to_recordset(c.jobs) AS j (kind text, payload text, run_at bigint);
  END IF;
END $$;
`
