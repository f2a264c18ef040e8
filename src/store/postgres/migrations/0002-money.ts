/**
 * What Segno asks models itself may belong to no round; a fork pays for what it asks so. The functions are the earlier
 * ones with this one condition more, and older nodes never spend outside of rounds.
 */
export const asks = `
CREATE OR REPLACE FUNCTION count_spent(changes change[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c change := changes[1];
BEGIN
  IF cardinality(changes) = 1 THEN
    INSERT INTO spent AS t (tenant, user_id, day, tokens, tool_cost, cost)
    SELECT s.tenant, s.owner, c.spent_day, c.spent_tokens, c.spent_tool_cost, c.spent_cost FROM sessions s
    WHERE s.id = c.session_id AND (s.parent IS NULL OR c.spent_by IS NULL
      OR EXISTS (SELECT FROM rounds r WHERE r.request_id = c.spent_by AND r.session_id = s.id))
    ON CONFLICT (tenant, user_id, day) DO UPDATE SET tokens = t.tokens + excluded.tokens,
      tool_cost = t.tool_cost + excluded.tool_cost, cost = t.cost + excluded.cost;
    RETURN;
  END IF;
  INSERT INTO spent AS t (tenant, user_id, day, tokens, tool_cost, cost)
  SELECT s.tenant, s.owner, x.spent_day, sum(x.spent_tokens), sum(x.spent_tool_cost), sum(x.spent_cost)
  FROM unnest(changes) x JOIN sessions s ON s.id = x.session_id
  WHERE s.parent IS NULL OR x.spent_by IS NULL
    OR EXISTS (SELECT FROM rounds r WHERE r.request_id = x.spent_by AND r.session_id = s.id)
  GROUP BY s.tenant, s.owner, x.spent_day ORDER BY s.tenant, s.owner, x.spent_day
  ON CONFLICT (tenant, user_id, day) DO UPDATE SET tokens = t.tokens + excluded.tokens,
    tool_cost = t.tool_cost + excluded.tool_cost, cost = t.cost + excluded.cost;
END $$;

CREATE OR REPLACE FUNCTION settle_all(whose sessions, m spending) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r reservations;
  open reservations[];
  tokens bigint := m.tokens;
  cost bigint := m.cost;
  of_tokens bigint;
  of_cost bigint;
BEGIN
  SELECT array_agg(x ORDER BY x.seq) FILTER (WHERE x.settled_at IS NULL) INTO open FROM reservations x
  WHERE x.session_id = whose.id AND x.about = m.about;
  IF open IS NULL THEN
    IF m.settles = 'spent' AND (m.tokens > 0 OR m.cost > 0)
      AND NOT EXISTS (SELECT FROM reservations x WHERE x.session_id = whose.id AND x.about = m.about)
      AND (whose.parent IS NULL OR m.request_id IS NULL
        OR EXISTS (SELECT FROM rounds x WHERE x.request_id = m.request_id AND x.session_id = whose.id)) THEN
      INSERT INTO spent AS t (tenant, user_id, day, tokens, tool_cost, cost)
      VALUES (whose.tenant, whose.owner, m.day, m.tokens, CASE WHEN m.what = 'tool' THEN m.cost ELSE 0 END, m.cost)
      ON CONFLICT (tenant, user_id, day) DO UPDATE SET tokens = t.tokens + excluded.tokens,
        tool_cost = t.tool_cost + excluded.tool_cost, cost = t.cost + excluded.cost;
    END IF;
    RETURN;
  END IF;
  FOR n IN 1 .. cardinality(open) LOOP
    r := open[n];
    IF m.settles = 'reserved' THEN
      PERFORM settle_one(r, r.tokens, r.cost, m.at);
    ELSE
      of_tokens := CASE WHEN n = cardinality(open) THEN tokens ELSE least(tokens, r.tokens) END;
      of_cost := CASE WHEN n = cardinality(open) THEN cost ELSE least(cost, r.cost) END;
      PERFORM settle_one(r, of_tokens, of_cost, m.at);
      tokens := tokens - of_tokens;
      cost := cost - of_cost;
    END IF;
  END LOOP;
END $$;
`
