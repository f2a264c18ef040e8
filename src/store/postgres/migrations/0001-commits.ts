import { ROW_EVENTS } from '../../pack-events.ts'
/**
 * `commit_changes` takes changes of several sessions, at most one each, and answers each; a refused one does not affect
 * the others, and an exception undoes the whole call. A change sent again under its commit id is stored once.
 */
export const commits = `
-- A change; its projected rows are JSON, and only the columns they name are written.
CREATE TYPE change AS (
  place integer,
  session_id text,
  node text,
  epoch integer,
  expected integer,
  n integer,
  commit_id text,
  at bigint,
  needs integer,
  -- whether there is more than events, audit and a counter, and whether it can be refused for more than its owner
  has_rows boolean,
  is_special boolean,
  creates boolean,
  deletes boolean,
  parent text,
  parent_seq integer,
  -- the bodies of the second row of events and those after it
  more text[],
  session json,
  new_rounds json,
  rounds json,
  new_approvals json,
  approvals json,
  new_calls json,
  calls json,
  refs json,
  consumed text[],
  looked text[],
  claim_key text,
  claim_hash text,
  claim_result text,
  jobs json,
  audit_tenant text,
  audit_at bigint,
  audit_body text,
  -- bookings if something is or was reserved, else a plain counter
  money json,
  spent_by text,
  spent_day text,
  spent_tokens bigint,
  spent_tool_cost bigint,
  spent_cost bigint
);

-- One answer per change, some followed by JSON. Ordinary changes are written here with as few statements as possible.
CREATE FUNCTION commit_changes(sent json[], bodies text[]) RETURNS text[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan SET lock_timeout = '10s' AS $$
DECLARE
  answers text[] := array_fill(NULL::text, ARRAY[cardinality(sent)]);
  others change[];
  spenders change[];
  c change;
BEGIN
  FOR i IN 1 .. cardinality(sent) LOOP
    c := json_populate_record(NULL::change, sent[i]);
    IF c.is_special OR c.money IS NOT NULL
      AND EXISTS (SELECT FROM reservations r WHERE r.session_id = c.session_id) THEN
      c.place := i;
      others := others || c;
      CONTINUE;
    END IF;
    UPDATE heads h SET head = c.expected + c.n, needs = greatest(h.needs, c.needs)
    WHERE h.session_id = c.session_id AND h.owner = c.node AND h.epoch = c.epoch AND h.head = c.expected
      AND NOT h.deleted;
    IF NOT FOUND THEN
      answers[i] := refusal_of(c);
      CONTINUE;
    END IF;
    IF c.n > 0 THEN
      INSERT INTO events (session_id, seq, n, commit_id, body)
      VALUES (c.session_id, c.expected + 1, c.n, c.commit_id, bodies[i]);
    END IF;
    IF c.audit_body IS NOT NULL THEN
      INSERT INTO audit (tenant, at, body) VALUES (c.audit_tenant, c.audit_at, c.audit_body);
    END IF;
    IF c.has_rows THEN
      PERFORM write_rows(c);
    END IF;
    IF c.spent_day IS NOT NULL THEN
      spenders := spenders || c;
    END IF;
    answers[i] := 'committed';
  END LOOP;
  IF others IS NOT NULL THEN
    -- In one order, so that transactions waiting for the same rows do not deadlock.
    FOR c IN SELECT s.* FROM unnest(others) s LEFT JOIN sessions o ON o.id = s.session_id
      ORDER BY o.tenant, o.owner, s.session_id
    LOOP
      answers[c.place] := commit_special(c, bodies[c.place]);
    END LOOP;
  END IF;
  -- Last, so that rows shared by many sessions are locked for the shortest time.
  IF spenders IS NOT NULL THEN
    PERFORM count_spent(spenders);
  END IF;
  RETURN answers;
END $$;

-- Why the head was not updated, or that this very change was stored before and its answer got lost.
CREATE FUNCTION refusal_of(c change) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found heads;
BEGIN
  IF is_stored(c) THEN
    RETURN 'committed';
  END IF;
  SELECT * INTO found FROM heads WHERE session_id = c.session_id;
  RETURN CASE
    WHEN found.session_id IS NULL OR found.deleted THEN 'gone'
    WHEN found.owner IS DISTINCT FROM c.node OR found.epoch <> c.epoch THEN 'epoch'
    ELSE 'number'
  END;
END $$;

CREATE FUNCTION is_stored(c change) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT FROM events
    WHERE session_id = c.session_id AND seq = c.expected + 1 AND commit_id = c.commit_id);
END $$;

-- A refusal rolls back what the change has written so far.
CREATE FUNCTION refuse(answer text, detail json DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'SG000', MESSAGE = concat_ws(' ', answer, detail);
END $$;

-- A change that creates or deletes a session, has a claim, or concerns reservations.
CREATE FUNCTION commit_special(c change, body text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answer text;
BEGIN
  IF c.claim_key IS NOT NULL THEN
    PERFORM take_claim(c);
  END IF;
  IF c.creates THEN
    PERFORM create_session(c);
  ELSE
    UPDATE heads h SET head = c.expected + c.n, needs = greatest(h.needs, c.needs), deleted = c.deletes,
      owner = CASE WHEN c.deletes THEN NULL ELSE h.owner END
    WHERE h.session_id = c.session_id AND h.owner = c.node AND h.epoch = c.epoch AND h.head = c.expected
      AND NOT h.deleted;
    IF NOT FOUND THEN
      PERFORM refuse(refusal_of(c));
    END IF;
  END IF;
  IF c.n > 0 THEN
    INSERT INTO events (session_id, seq, n, commit_id, body)
    VALUES (c.session_id, c.expected + 1, least(c.n, ${ROW_EVENTS}), c.commit_id, body);
  END IF;
  IF c.more IS NOT NULL THEN
    INSERT INTO events (session_id, seq, n, commit_id, body)
    SELECT c.session_id, c.expected + 1 + i * ${ROW_EVENTS}, least(c.n - i * ${ROW_EVENTS}, ${ROW_EVENTS}), c.commit_id, b
    FROM unnest(c.more) WITH ORDINALITY AS rest (b, i);
  END IF;
  IF c.audit_body IS NOT NULL THEN
    INSERT INTO audit (tenant, at, body) VALUES (c.audit_tenant, c.audit_at, c.audit_body);
  END IF;
  PERFORM write_rows(c);
  IF c.money IS NOT NULL THEN
    PERFORM book(c);
  END IF;
  RETURN 'committed';
EXCEPTION WHEN SQLSTATE 'SG000' THEN
  GET STACKED DIAGNOSTICS answer = MESSAGE_TEXT;
  RETURN answer;
END $$;

CREATE FUNCTION take_claim(c change) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  taken claims;
BEGIN
  INSERT INTO claims (key, hash, result, session_id, commit_id, created_at)
  VALUES (c.claim_key, c.claim_hash, c.claim_result, c.session_id, c.commit_id, coalesce(c.at, now_ms()))
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    RETURN;
  END IF;
  SELECT * INTO taken FROM claims WHERE key = c.claim_key;
  IF taken.key IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'a claim was forgotten meanwhile';
  END IF;
  IF taken.commit_id = c.commit_id THEN
    PERFORM refuse('committed');
  END IF;
  PERFORM refuse('repeated', json_build_object('key', taken.key, 'hash', taken.hash, 'result', taken.result));
END $$;

CREATE FUNCTION create_session(c change) RETURNS void LANGUAGE plpgsql AS $$
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
  INSERT INTO sessions (id, parent, parent_seq, tenant, owner, workspace, alias, title, folded, model, protocol, archived,
    deleted, created_at, updated_at, used_at)
  VALUES (c.session_id, c.parent, c.parent_seq, coalesce(made.tenant, ''), coalesce(made.owner, ''),
    coalesce(made.workspace, ''), made.alias, coalesce(made.title, ''),
    coalesce(made.folded, ''), made.model, made.protocol,
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
`
