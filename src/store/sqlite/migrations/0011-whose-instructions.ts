/**
 * Who wrote the instructions of a workspace, whether they might, and whether the owner of the machine named its folder.
 * Of older rows nobody knows: in the tenant of the owner they are trusted, elsewhere only once they are saved again.
 */
export const whoseInstructions = `
ALTER TABLE workspaces ADD COLUMN folder_by_owner INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspaces ADD COLUMN instructions_by TEXT;
ALTER TABLE workspaces ADD COLUMN instructions_trusted INTEGER NOT NULL DEFAULT 0;
UPDATE workspaces SET folder_by_owner = 1, instructions_trusted = 1 WHERE tenant = 'local';
`
