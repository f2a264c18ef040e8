/** Rounds get their owner, and indexes by their start. */
export const roundsByStart = `
ALTER TABLE rounds ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE rounds SET (tenant, owner) = (SELECT tenant, owner FROM sessions WHERE num = rounds.key / (1 << 26))
  WHERE key / (1 << 26) IN (SELECT num FROM sessions);
CREATE INDEX rounds_started ON rounds (tenant, started_at, owner);
`
