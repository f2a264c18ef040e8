/**
 * Reservations are counted in the row of their user and day, which is locked while the budget is checked, so that two
 * nodes never reserve the same money; a quota has a row that is locked for the same reason.
 */
export const money = `
CREATE TABLE entitlements (
  tenant text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  daily_tokens bigint,
  daily_tool_cost bigint,
  daily_cost bigint,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant, user_id)
);

-- What a user spent and has reserved on a day.
CREATE TABLE spent (
  tenant text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  tokens bigint NOT NULL DEFAULT 0,
  tool_cost bigint NOT NULL DEFAULT 0,
  cost bigint NOT NULL DEFAULT 0,
  held_tokens bigint NOT NULL DEFAULT 0,
  held_tool_cost bigint NOT NULL DEFAULT 0,
  held_cost bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, user_id, day)
);

-- Locked while the calls of a tool are counted.
CREATE TABLE quotas (
  tenant text COLLATE "C" NOT NULL,
  tool text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, tool)
);

CREATE TABLE reservations (
  session_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  what text NOT NULL,
  about text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  tool text COLLATE "C",
  tokens bigint NOT NULL,
  cost bigint NOT NULL,
  at bigint NOT NULL,
  settled_at bigint,
  spent_tokens bigint,
  spent_cost bigint,
  PRIMARY KEY (session_id, seq)
);
CREATE INDEX reservations_about ON reservations (session_id, about);
CREATE INDEX reservations_tool ON reservations (tenant, tool, at) WHERE tool IS NOT NULL;
CREATE INDEX reservations_tool_open ON reservations (tenant, tool) WHERE tool IS NOT NULL AND settled_at IS NULL;
CREATE INDEX reservations_settled ON reservations (at) WHERE settled_at IS NOT NULL;

-- What an event reserves and settles.
CREATE TYPE spending AS (
  seq integer,
  at bigint,
  day text,
  request_id text,
  what text,
  about text,
  settles text,
  tokens bigint,
  cost bigint,
  aside_tokens bigint,
  aside_cost bigint,
  tool text,
  per_hour integer,
  concurrent integer,
  deletes boolean
);

-- Counts the spending of sessions without reservations, in one order because of locks. A fork closes rounds it
-- inherited, whose spending counts for its parent.
CREATE FUNCTION count_spent(changes change[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c change := changes[1];
BEGIN
  IF cardinality(changes) = 1 THEN
    INSERT INTO spent AS t (tenant, user_id, day, tokens, tool_cost, cost)
    SELECT s.tenant, s.owner, c.spent_day, c.spent_tokens, c.spent_tool_cost, c.spent_cost FROM sessions s
    WHERE s.id = c.session_id AND (s.parent IS NULL
      OR EXISTS (SELECT FROM rounds r WHERE r.request_id = c.spent_by AND r.session_id = s.id))
    ON CONFLICT (tenant, user_id, day) DO UPDATE SET tokens = t.tokens + excluded.tokens,
      tool_cost = t.tool_cost + excluded.tool_cost, cost = t.cost + excluded.cost;
    RETURN;
  END IF;
  INSERT INTO spent AS t (tenant, user_id, day, tokens, tool_cost, cost)
  SELECT s.tenant, s.owner, x.spent_day, sum(x.spent_tokens), sum(x.spent_tool_cost), sum(x.spent_cost)
  FROM unnest(changes) x JOIN sessions s ON s.id = x.session_id
  WHERE s.parent IS NULL OR EXISTS (SELECT FROM rounds r WHERE r.request_id = x.spent_by AND r.session_id = s.id)
  GROUP BY s.tenant, s.owner, x.spent_day ORDER BY s.tenant, s.owner, x.spent_day
  ON CONFLICT (tenant, user_id, day) DO UPDATE SET tokens = t.tokens + excluded.tokens,
    tool_cost = t.tool_cost + excluded.tool_cost, cost = t.cost + excluded.cost;
END $$;

CREATE FUNCTION book(c change) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  whose sessions;
  m spending;
BEGIN
  SELECT * INTO whose FROM sessions WHERE id = c.session_id;
  FOR m IN SELECT * FROM json_populate_recordset(NULL::spending, c.money) LOOP
    -- Rounds are closed before a session is deleted; anything still open is settled as reserved.
    IF m.deletes THEN
      PERFORM settle_one(r, r.tokens, r.cost, m.at) FROM reservations r
      WHERE r.session_id = c.session_id AND r.settled_at IS NULL;
    END IF;
    IF m.settles IS NOT NULL THEN
      PERFORM settle_all(whose, m);
    END IF;
    IF m.aside_tokens IS NOT NULL THEN
      PERFORM set_aside(whose, m);
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION settle_one(r reservations, of_tokens bigint, of_cost bigint, of_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reservations SET settled_at = of_at, spent_tokens = of_tokens, spent_cost = of_cost
  WHERE session_id = r.session_id AND seq = r.seq;
  UPDATE spent SET tokens = tokens + of_tokens, cost = cost + of_cost,
    tool_cost = tool_cost + CASE WHEN r.what = 'tool' THEN of_cost ELSE 0 END,
    held_tokens = held_tokens - r.tokens, held_cost = held_cost - r.cost,
    held_tool_cost = held_tool_cost - CASE WHEN r.what = 'tool' THEN r.cost ELSE 0 END
  WHERE tenant = r.tenant AND user_id = r.user_id AND day = r.day;
END $$;

-- Splits what was spent over its reservations: each up to its own amount, the rest to the last.
CREATE FUNCTION settle_all(whose sessions, m spending) RETURNS void LANGUAGE plpgsql AS $$
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
      AND (whose.parent IS NULL
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

CREATE FUNCTION set_aside(whose sessions, m spending) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  limits entitlements;
  has_budget boolean;
BEGIN
  SELECT * INTO limits FROM entitlements e WHERE e.tenant = whose.tenant AND e.user_id IN (whose.owner, '*')
  ORDER BY e.user_id = whose.owner DESC LIMIT 1;
  has_budget := limits.daily_tokens IS NOT NULL OR limits.daily_tool_cost IS NOT NULL OR limits.daily_cost IS NOT NULL;
  IF NOT has_budget AND m.tool IS NULL THEN
    RETURN;
  END IF;
  PERFORM hold(whose, m, limits);
  IF m.tool IS NOT NULL THEN
    PERFORM within_quota(whose.tenant, m);
  END IF;
  INSERT INTO reservations (session_id, seq, what, about, tenant, user_id, day, tool, tokens, cost, at)
  VALUES (whose.id, m.seq, m.what, m.about, whose.tenant, whose.owner, m.day, m.tool, m.aside_tokens, m.aside_cost,
    m.at);
END $$;

-- Reserves in the row of the user and day, or refuses; a used-up budget does not stop what costs nothing.
CREATE FUNCTION hold(whose sessions, m spending, limits entitlements) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_is spent;
  for_tools bigint := CASE WHEN m.what = 'tool' THEN m.aside_cost ELSE 0 END;
BEGIN
  INSERT INTO spent AS t (tenant, user_id, day, held_tokens, held_tool_cost, held_cost)
  VALUES (whose.tenant, whose.owner, m.day, m.aside_tokens, for_tools, m.aside_cost)
  ON CONFLICT (tenant, user_id, day) DO UPDATE SET held_tokens = t.held_tokens + excluded.held_tokens,
    held_tool_cost = t.held_tool_cost + excluded.held_tool_cost, held_cost = t.held_cost + excluded.held_cost
  RETURNING * INTO now_is;
  IF m.aside_tokens > 0 AND now_is.tokens + now_is.held_tokens > limits.daily_tokens THEN
    PERFORM over('tokens', limits.daily_tokens, limits.daily_tokens - now_is.tokens - now_is.held_tokens + m.aside_tokens);
  END IF;
  IF for_tools > 0 AND now_is.tool_cost + now_is.held_tool_cost > limits.daily_tool_cost THEN
    PERFORM over('tools', limits.daily_tool_cost,
      limits.daily_tool_cost - now_is.tool_cost - now_is.held_tool_cost + for_tools);
  END IF;
  IF m.aside_cost > 0 AND now_is.cost + now_is.held_cost > limits.daily_cost THEN
    PERFORM over('cost', limits.daily_cost, limits.daily_cost - now_is.cost - now_is.held_cost + m.aside_cost);
  END IF;
END $$;

CREATE FUNCTION over(what text, of_limit bigint, of_left bigint, tool text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse('over', json_build_object('what', what, 'limit', of_limit, 'left', greatest(0, of_left), 'tool', tool));
END $$;

CREATE FUNCTION within_quota(of_tenant text, m spending) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO quotas (tenant, tool) VALUES (of_tenant, m.tool) ON CONFLICT DO NOTHING;
  PERFORM FROM quotas q WHERE q.tenant = of_tenant AND q.tool = m.tool FOR UPDATE;
  IF (SELECT count(*) FROM reservations r
    WHERE r.tenant = of_tenant AND r.tool = m.tool AND r.at > m.at - 3600000) >= m.per_hour THEN
    PERFORM over('hourly', m.per_hour, 0, m.tool);
  END IF;
  IF (SELECT count(*) FROM reservations r
    WHERE r.tenant = of_tenant AND r.tool = m.tool AND r.settled_at IS NULL) >= m.concurrent THEN
    PERFORM over('concurrent', m.concurrent, 0, m.tool);
  END IF;
END $$;
`
