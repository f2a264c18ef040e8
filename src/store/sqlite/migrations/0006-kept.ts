/**
 * What belongs to an installation and is in no log: trusted definitions of tools, authorizations of servers. Workspaces
 * name the servers they use; an approval says whether a running call asked.
 */
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
