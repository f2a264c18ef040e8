import type { DatabaseSync } from 'node:sqlite'
import type { Workspace } from '../../contract/workspace.ts'
import type { WorkspaceChanges } from '../store.ts'

interface Row {
  id: string
  tenant: string
  name: string
  folder: string
  instructions: string
  models: string
  mcp_servers: string
  created_at: number
  updated_at: number
}

export function workspacesIn(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT INTO workspaces (id, tenant, name, folder, instructions, models, mcp_servers, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // What is not given is NULL and stays as it is at this moment.
  const change = db.prepare(
    `UPDATE workspaces SET name = coalesce(?, name), folder = coalesce(?, folder),
     instructions = coalesce(?, instructions), models = coalesce(?, models),
     mcp_servers = coalesce(?, mcp_servers), updated_at = ? WHERE id = ? RETURNING *`,
  )
  const byId = db.prepare('SELECT * FROM workspaces WHERE id = ?')
  const ofTenant = db.prepare('SELECT * FROM workspaces WHERE tenant = ? ORDER BY created_at, id')
  return {
    put({ id, tenant, name, folder, instructions, models, mcpServers, createdAt, updatedAt }: Workspace): void {
      const lists = [JSON.stringify(models), JSON.stringify(mcpServers)] as const
      put.run(id, tenant, name, folder, instructions, ...lists, createdAt, updatedAt)
    },
    change(id: string, changes: WorkspaceChanges, at: number): Workspace | undefined {
      const { name, folder, instructions, models, mcpServers } = changes
      const held = (list: readonly string[] | undefined) => (list === undefined ? null : JSON.stringify(list))
      const texts = [name ?? null, folder ?? null, instructions ?? null] as const
      const row = change.get(...texts, held(models), held(mcpServers), at, id)
      return row && view(row as unknown as Row)
    },
    get(id: string): Workspace | undefined {
      const row = byId.get(id) as unknown as Row | undefined
      return row && view(row)
    },
    list: (tenant: string): Workspace[] => (ofTenant.all(tenant) as unknown as Row[]).map(view),
  }
}

function view({ models, mcp_servers: servers, created_at: createdAt, updated_at: updatedAt, ...row }: Row): Workspace {
  const mcpServers = JSON.parse(servers) as string[]
  return { ...row, models: JSON.parse(models) as string[], mcpServers, createdAt, updatedAt }
}
