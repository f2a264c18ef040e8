import type { Workspace } from '../../contract/workspace.ts'
import type { AccountStore, WorkspaceChanges } from '../accounts.ts'
import type { Base } from './base.ts'
import { viewOf } from './page.ts'

interface Row extends Omit<Workspace, 'folderByOwner' | 'instructionsTrusted' | 'models' | 'mcpServers'> {
  folderByOwner: number
  instructionsTrusted: number
  models: string
  mcpServers: string
}

const COLUMNS = `id, tenant, name, folder, folder_by_owner AS folderByOwner, instructions, instructions_by AS instructionsBy,
  instructions_trusted AS instructionsTrusted, models, mcp_servers AS mcpServers, created_at AS createdAt,
  updated_at AS updatedAt`

type Workspaces = Pick<AccountStore, 'putWorkspace' | 'changeWorkspace' | 'workspace' | 'workspaces'>

export function workspaceStore({ db, group, beside, record, reading }: Base): Workspaces {
  const put = db.prepare(
    `INSERT INTO workspaces (name, folder, folder_by_owner, instructions, instructions_by, instructions_trusted,
     models, mcp_servers, id, tenant, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // What is not given is NULL and stays as it is at this moment.
  const change = db.prepare(
    `UPDATE workspaces SET name = coalesce(?, name), folder = coalesce(?, folder),
     folder_by_owner = coalesce(?, folder_by_owner), instructions = coalesce(?, instructions),
     instructions_by = coalesce(?, instructions_by), instructions_trusted = coalesce(?, instructions_trusted),
     models = coalesce(?, models), mcp_servers = coalesce(?, mcp_servers), updated_at = ? WHERE id = ? RETURNING ${COLUMNS}`,
  )
  const byId = db.prepare(`SELECT ${COLUMNS} FROM workspaces WHERE id = ?`)
  const ofTenant = db.prepare(`SELECT ${COLUMNS} FROM workspaces WHERE tenant = ? ORDER BY created_at, id`)
  return {
    putWorkspace(workspace, more) {
      const { id, tenant, createdAt, updatedAt } = workspace
      return beside(more, createdAt, () => {
        put.run(...values(workspace), id, tenant, createdAt, updatedAt)
        return 'stored'
      })
    },
    changeWorkspace: (id, changes, at, records = []) =>
      group.run((onRollback) => {
        const changed = viewOf(change.get(...values(changes), at, id), view)
        if (changed) record(records, onRollback)
        return changed
      }),
    workspace: (id) => reading(() => viewOf(byId.get(id), view)),
    workspaces: (tenant) => reading(() => (ofTenant.all(tenant) as unknown as Row[]).map(view)),
  }
}

/** In the order of both statements. */
function values(given: WorkspaceChanges): (string | number | null)[] {
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

const view = (row: Row): Workspace => ({
  ...row,
  folderByOwner: row.folderByOwner === 1,
  instructionsTrusted: row.instructionsTrusted === 1,
  models: JSON.parse(row.models) as string[],
  mcpServers: JSON.parse(row.mcpServers) as string[],
})
