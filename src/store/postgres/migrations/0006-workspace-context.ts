/** What a workspace adds to its conversations, as JSON; older nodes leave it as it is. */
export const workspaceContext = `
ALTER TABLE workspaces ADD COLUMN files text NOT NULL DEFAULT '[]';
ALTER TABLE workspaces ADD COLUMN dynamic_context text NOT NULL DEFAULT '[]';
ALTER TABLE workspaces ADD COLUMN prompt_settings text NOT NULL DEFAULT '{}';
`
