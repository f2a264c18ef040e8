/** The author of a workspace's instructions is recorded; older ones are trusted only in the local tenant. */
export const instructionAuthors = `
ALTER TABLE workspaces ADD COLUMN folder_by_owner INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspaces ADD COLUMN instructions_by TEXT;
ALTER TABLE workspaces ADD COLUMN instructions_trusted INTEGER NOT NULL DEFAULT 0;
UPDATE workspaces SET folder_by_owner = 1, instructions_trusted = 1 WHERE tenant = 'local';
`
