/** What a change writes besides its events: projected rows, references to blobs, consumed inputs, jobs. */
export const writeRows = `
CREATE FUNCTION write_rows(c change) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  files text[];
BEGIN
  IF c.session IS NOT NULL AND NOT c.creates THEN
    UPDATE sessions s SET (alias, title, folded, model, protocol, archived, deleted, updated_at, used_at) =
      (SELECT r.alias, r.title, r.folded, r.model, r.protocol, r.archived, r.deleted, r.updated_at, r.used_at
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

-- Erases those of these blobs that no event and no input names; references are read after the blobs are locked.
CREATE FUNCTION erase_unnamed(hashes text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  erased text[];
BEGIN
  PERFORM FROM blobs WHERE hash = ANY (hashes) ORDER BY hash FOR UPDATE;
  WITH gone AS (
    DELETE FROM blobs b WHERE b.hash = ANY (hashes)
      AND NOT EXISTS (SELECT FROM blob_refs r WHERE r.hash = b.hash)
      AND b.hash NOT IN (SELECT unnest(i.files) FROM inputs i WHERE i.files && hashes AND i.files <> '{}')
    RETURNING b.hash)
  SELECT array_agg(hash) INTO erased FROM gone;
  DELETE FROM blob_parts WHERE hash = ANY (erased);
  RETURN coalesce(cardinality(erased), 0);
END $$;
`
