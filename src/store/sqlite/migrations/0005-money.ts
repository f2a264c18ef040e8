/**
 * `spent` counts what a user spent on a day (UTC). In `reservations`, `key` is that of the reserving event, `about` the
 * call, or the round and turn. Counters outlive sessions, so neither table can be rebuilt from the log.
 */
export const money = `
CREATE TABLE entitlements (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  daily_tokens INTEGER,
  daily_tool_cost INTEGER,
  daily_cost INTEGER,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id)
) WITHOUT ROWID;

CREATE TABLE spent (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  day TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  tool_cost INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id, day)
) WITHOUT ROWID;

CREATE TABLE reservations (
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  what TEXT NOT NULL,
  about TEXT NOT NULL,
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  day TEXT NOT NULL,
  tool TEXT,
  tokens INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  at INTEGER NOT NULL,
  settled_at INTEGER,
  spent_tokens INTEGER,
  spent_cost INTEGER
);
CREATE INDEX reservations_about ON reservations (session, about);
CREATE INDEX reservations_open ON reservations (tenant, user_id, day) WHERE settled_at IS NULL;
CREATE INDEX reservations_tool ON reservations (tenant, tool, at) WHERE tool IS NOT NULL;
CREATE INDEX reservations_tool_open ON reservations (tenant, tool) WHERE tool IS NOT NULL AND settled_at IS NULL;
CREATE INDEX reservations_settled ON reservations (at) WHERE settled_at IS NOT NULL;
`
