import { USUAL_PROMPT, type ContextCall, type PromptSettings, type Workspace } from '../contract/workspace.ts'
import type { WorkspaceChanges } from './accounts.ts'

/** Fields that are stored as JSON. */
type AsJson = 'models' | 'mcpServers' | 'files' | 'dynamicContext' | 'promptSettings'

export interface WorkspaceRow
  extends Omit<Workspace, 'folderByOwner' | 'instructionsTrusted' | AsJson>, Record<AsJson, string> {
  folderByOwner: number
  instructionsTrusted: number
}

export const WORKSPACE_COLUMNS = `id, tenant, name, folder, folder_by_owner AS "folderByOwner", instructions,
  instructions_by AS "instructionsBy", instructions_trusted AS "instructionsTrusted", models, mcp_servers AS "mcpServers",
  files, dynamic_context AS "dynamicContext", prompt_settings AS "promptSettings",
  created_at AS "createdAt", updated_at AS "updatedAt"`

/** In the order of `workspaceValues`. */
export const CHANGING_COLUMNS = [
  'name',
  'folder',
  'folder_by_owner',
  'instructions',
  'instructions_by',
  'instructions_trusted',
  'models',
  'mcp_servers',
  'files',
  'dynamic_context',
  'prompt_settings',
] as const

/** Missing fields are NULL. */
export function workspaceValues(given: WorkspaceChanges): (string | number | null)[] {
  const { name, folder, folderByOwner, instructions, instructionsBy, instructionsTrusted, models, mcpServers } = given
  const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value))
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))
  return [
    name ?? null,
    folder ?? null,
    flag(folderByOwner),
    instructions ?? null,
    instructionsBy ?? null,
    flag(instructionsTrusted),
    json(models),
    json(mcpServers),
    json(given.files),
    json(given.dynamicContext),
    json(given.promptSettings),
  ]
}

export const workspaceOfRow = (row: WorkspaceRow): Workspace => ({
  ...row,
  folderByOwner: row.folderByOwner === 1,
  instructionsTrusted: row.instructionsTrusted === 1,
  models: JSON.parse(row.models) as string[],
  mcpServers: JSON.parse(row.mcpServers) as string[],
  files: JSON.parse(row.files) as string[],
  dynamicContext: JSON.parse(row.dynamicContext) as ContextCall[],
  promptSettings: { ...USUAL_PROMPT, ...(JSON.parse(row.promptSettings) as Partial<PromptSettings>) },
})
