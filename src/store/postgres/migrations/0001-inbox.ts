/**
 * Ownership, inputs and log of a session, one call each. A function that decides locks the session's head first, after
 * its claim as in a commit; frequent queries are forced to use keys, whatever the planner estimates.
 */
export const inbox = `
-- The parts of a session's log, one per fork: numbers first to last of session id.
CREATE FUNCTION lineage(of_session text, up_to integer)
RETURNS TABLE (id text, first integer, last integer) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up (id, parent, start, last) AS (
    SELECT s.id, s.parent, coalesce(s.parent_seq, 0), up_to FROM sessions s WHERE s.id = of_session
    UNION ALL
    SELECT s.id, s.parent, coalesce(s.parent_seq, 0), least(up.last, up.start)
    FROM up JOIN sessions s ON s.id = up.parent)
  SELECT up.id, up.start + 1, up.last FROM up WHERE up.last > up.start ORDER BY up.start
$$;

-- Rows with the events after a number, up to most_events or most_bytes; then a row without a body says that there are
-- more. first and last are the events of the row that are meant.
CREATE FUNCTION read_events(of_session text, after integer, up_to integer, most_events integer, most_bytes bigint)
RETURNS TABLE (seq integer, first integer, last integer, body text) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  piece record;
  found record;
  events integer := 0;
  bytes bigint := 0;
BEGIN
  IF NOT EXISTS (SELECT FROM sessions s WHERE s.id = of_session AND s.deleted = 0) THEN
    RETURN;
  END IF;
  FOR piece IN SELECT l.id, greatest(l.first, after + 1) AS first, l.last FROM lineage(of_session, up_to) l
    WHERE l.last > after
  LOOP
    -- The first row may begin earlier, because a row holds several.
    FOR found IN SELECT e.seq, e.n, e.body FROM events e WHERE e.session_id = piece.id AND e.seq <= piece.last
      AND e.seq >= coalesce((SELECT b.seq FROM events b WHERE b.session_id = piece.id
        AND b.seq <= least(piece.first, piece.last) ORDER BY b.seq DESC LIMIT 1), 0)
      AND e.seq + e.n > piece.first ORDER BY e.seq
    LOOP
      first := greatest(found.seq, piece.first);
      last := least(found.seq + found.n - 1, piece.last);
      IF events >= most_events OR bytes >= most_bytes THEN
        RETURN QUERY SELECT 0, 0, 0, NULL::text;
        RETURN;
      END IF;
      IF events + last - first + 1 > most_events THEN
        last := first + most_events - events - 1;
        RETURN QUERY SELECT found.seq, first, last, found.body;
        RETURN QUERY SELECT 0, 0, 0, NULL::text;
        RETURN;
      END IF;
      seq := found.seq;
      body := found.body;
      RETURN NEXT;
      events := events + last - first + 1;
      bytes := bytes + octet_length(found.body);
    END LOOP;
  END LOOP;
END $$;

-- If the previous owner was evicted or is unknown, the head is kept, because its calls may still be running.
CREATE FUNCTION claim_session(of_session text, me text, version integer, OUT answer text, OUT epoch integer,
  OUT head integer, OUT inbox integer, OUT evicted_at integer, OUT "where" text, OUT until bigint) LANGUAGE plpgsql
SET lock_timeout = '10s' AS $$
DECLARE
  h heads;
  other nodes;
  is_doubtful boolean := false;
BEGIN
  SELECT * INTO h FROM heads t WHERE t.session_id = of_session AND NOT t.deleted FOR UPDATE;
  IF NOT FOUND THEN
    answer := 'none';
    RETURN;
  END IF;
  IF h.needs > version THEN
    answer := 'newer';
    RETURN;
  END IF;
  IF h.owner <> me THEN
    SELECT * INTO other FROM nodes t WHERE t.id = h.owner;
    IF FOUND AND NOT other.evicted AND other.left_at IS NULL THEN
      answer := 'elsewhere';
      "where" := other.id;
      until := other.until;
      RETURN;
    END IF;
    is_doubtful := NOT FOUND OR other.evicted;
  END IF;
  IF EXISTS (SELECT FROM nodes t WHERE t.id = me AND (t.evicted OR t.left_at IS NOT NULL)) THEN
    answer := 'evicted';
    RETURN;
  END IF;
  UPDATE heads t SET owner = me, epoch = t.epoch + 1,
    evicted_at = CASE WHEN is_doubtful THEN t.head ELSE t.evicted_at END
  WHERE t.session_id = of_session RETURNING t.epoch, t.head, t.inbox, t.evicted_at INTO epoch, head, inbox, evicted_at;
  answer := 'owned';
END $$;

-- Sessions that need an owner, running rounds first: the node's own, and at most "most" without an owner. Each node
-- begins with another part of them, so that two rarely claim the same one.
CREATE FUNCTION unfinished(me text, version integer, most bigint) RETURNS TABLE (session_id text) LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  WITH living AS (SELECT id FROM nodes WHERE NOT evicted AND left_at IS NULL),
    shared AS (SELECT greatest(1, count(*)) AS among, count(*) FILTER (WHERE id < me) AS place FROM living),
    waiting AS (
      SELECT h.session_id FROM heads h
      JOIN (SELECT session_id, min(coalesce(seen, -1)) AS seen FROM inputs GROUP BY session_id) i
        ON i.session_id = h.session_id AND i.seen < h.head),
    needy AS (
      SELECT session_id, min(late) AS late FROM (
        SELECT session_id, 0 AS late FROM rounds WHERE state = 'running'
        UNION ALL SELECT session_id, 1 FROM waiting) one
      GROUP BY session_id),
    found AS (
      SELECT n.session_id, n.late, h.owner IS NOT DISTINCT FROM me AS is_mine,
        abs(hashtext(n.session_id)::bigint) % shared.among <> shared.place AS is_others, shared.among
      FROM needy n JOIN heads h USING (session_id), shared
      WHERE NOT h.deleted AND h.needs <= version
        AND (h.owner IS NULL OR h.owner = me OR h.owner NOT IN (SELECT id FROM living))),
    ranked AS (
      SELECT session_id, late, is_mine, among, count(*) OVER (PARTITION BY is_mine) AS all_of_them,
        row_number() OVER (PARTITION BY is_mine ORDER BY late, is_others, hashtext(session_id || me)) AS rank
      FROM found)
  SELECT session_id FROM ranked WHERE is_mine OR rank <= least(most, ceil(all_of_them / among::numeric))
  ORDER BY late, session_id
$$;

-- The lock on the head makes inputs visible in the order of their numbers; one that is sent again is known by its id.
CREATE FUNCTION put_input(of_session text, of_id text, of_key text, of_at bigint, of_body text, of_files text[],
  asked json, claim_key text, claim_hash text, claim_result text, most bigint, if_idle boolean,
  OUT answer text, OUT place integer, OUT who text, OUT detail json) LANGUAGE plpgsql
SET lock_timeout = '10s' AS $$
DECLARE
  h heads;
  taken claims;
BEGIN
  IF claim_key IS NOT NULL THEN
    INSERT INTO claims (key, hash, result, session_id, commit_id, created_at)
    VALUES (claim_key, claim_hash, claim_result, of_session, of_id, of_at) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      SELECT * INTO taken FROM claims WHERE key = claim_key;
      IF NOT FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'a claim was forgotten meanwhile';
      END IF;
      answer := CASE WHEN taken.commit_id = of_id THEN 'stored' ELSE 'repeated' END;
      detail := json_build_object('key', taken.key, 'hash', taken.hash, 'result', taken.result);
      RETURN;
    END IF;
  END IF;
  SELECT * INTO h FROM heads WHERE session_id = of_session AND NOT deleted FOR UPDATE;
  IF NOT FOUND THEN
    answer := 'none';
  ELSE
    SELECT CASE WHEN i.id = of_id THEN 'stored' ELSE 'waits' END, json_build_object('id', i.id) INTO answer, detail
    FROM inputs i WHERE i.session_id = of_session AND i.key = of_key;
    IF answer IS NULL AND if_idle AND (EXISTS (SELECT FROM inputs i WHERE i.session_id = of_session)
      OR EXISTS (SELECT FROM rounds r WHERE r.session_id = of_session AND r.state <> 'ended'))
    THEN
      answer := 'busy';
    END IF;
    IF answer IS NULL AND (SELECT count(*) FROM inputs i WHERE i.session_id = of_session) >= most THEN
      answer := 'full';
    END IF;
  END IF;
  IF answer IS NOT NULL THEN
    DELETE FROM claims WHERE key = claim_key AND commit_id = of_id AND answer <> 'stored';
    RETURN;
  END IF;
  UPDATE heads SET inbox = inbox + 1 WHERE session_id = of_session;
  INSERT INTO inputs (session_id, n, id, key, tenant, owner, kind, request_id, protocol, mode, model, decision, files,
    at, body)
  SELECT of_session, h.inbox + 1, of_id, of_key, s.tenant, s.owner, a.kind, a.request_id, a.protocol, a.mode, a.model,
    a.decision, of_files, of_at, of_body FROM sessions s, json_populate_record(NULL::inputs, asked) a
  WHERE s.id = of_session;
  answer := 'stored';
  place := h.inbox + 1;
  who := h.owner;
END $$;
`
