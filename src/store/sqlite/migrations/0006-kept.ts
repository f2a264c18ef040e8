/** Small values of the installation, such as trusted tool definitions and authorizations of servers. */
export const kept = `
CREATE TABLE kept (
  area TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (area, key)
) WITHOUT ROWID;

ALTER TABLE workspaces ADD COLUMN mcp_servers TEXT NOT NULL DEFAULT '[]';
ALTER TABLE approvals ADD COLUMN question INTEGER NOT NULL DEFAULT 0;
`
