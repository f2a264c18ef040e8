/** A session was last used when its last own round started, else when it was created. */
export const lastUsed = `
ALTER TABLE sessions ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET used_at = coalesce((SELECT started_at FROM rounds
  WHERE key >= sessions.num * (1 << 26) AND key < (sessions.num + 1) * (1 << 26) ORDER BY key DESC LIMIT 1), created_at);
CREATE INDEX sessions_used ON sessions (tenant, owner, archived, used_at) WHERE deleted = 0;
`
