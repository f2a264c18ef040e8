import type { Workspace } from '../contract/workspace.ts'
import type { WorkspaceChanges } from './accounts.ts'

export interface WorkspaceRow extends Omit<
  Workspace,
  'folderByOwner' | 'instructionsTrusted' | 'models' | 'mcpServers'
> {
  folderByOwner: number
  instructionsTrusted: number
  models: string
  mcpServers: string
}

export const WORKSPACE_COLUMNS = `id, tenant, name, folder, folder_by_owner AS "folderByOwner", instructions,
  instructions_by AS "instructionsBy", instructions_trusted AS "instructionsTrusted", models, mcp_servers AS "mcpServers",
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
] as const

/** Missing fields are NULL. */
export function workspaceValues(given: WorkspaceChanges): (string | number | null)[] {
  const { name, folder, folderByOwner, instructions, instructionsBy, instructionsTrusted, models, mcpServers } = given
  const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value))
  const list = (value: readonly string[] | undefined) => (value === undefined ? null : JSON.stringify(value))
  return [
    name ?? null,
    folder ?? null,
    flag(folderByOwner),
    instructions ?? null,
    instructionsBy ?? null,
    flag(instructionsTrusted),
    list(models),
    list(mcpServers),
  ]
}

export const workspaceOfRow = (row: WorkspaceRow): Workspace => ({
  ...row,
  folderByOwner: row.folderByOwner === 1,
  instructionsTrusted: row.instructionsTrusted === 1,
  models: JSON.parse(row.models) as string[],
  mcpServers: JSON.parse(row.mcpServers) as string[],
})
