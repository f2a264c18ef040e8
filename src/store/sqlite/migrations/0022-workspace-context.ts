/** What a workspace adds to its conversations, as JSON. */
export const workspaceContext = `
ALTER TABLE workspaces ADD COLUMN files TEXT NOT NULL DEFAULT '[]';
ALTER TABLE workspaces ADD COLUMN dynamic_context TEXT NOT NULL DEFAULT '[]';
ALTER TABLE workspaces ADD COLUMN prompt_settings TEXT NOT NULL DEFAULT '{}';
`
