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
  created_at: number
  updated_at: number
}

export function workspacesIn(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT INTO workspaces (id, tenant, name, folder, instructions, models, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // What is not given is NULL and stays as it is at this moment.
  const change = db.prepare(
    `UPDATE workspaces SET name = coalesce(?, name), folder = coalesce(?, folder),
     instructions = coalesce(?, instructions), models = coalesce(?, models), updated_at = ? WHERE id = ? RETURNING *`,
  )
  const byId = db.prepare('SELECT * FROM workspaces WHERE id = ?')
  const ofTenant = db.prepare('SELECT * FROM workspaces WHERE tenant = ? ORDER BY created_at, id')
  return {
    put({ id, tenant, name, folder, instructions, models, createdAt, updatedAt }: Workspace): void {
      put.run(id, tenant, name, folder, instructions, JSON.stringify(models), createdAt, updatedAt)
    },
    change(id: string, { name, folder, instructions, models }: WorkspaceChanges, at: number): Workspace | undefined {
      const held = models === undefined ? null : JSON.stringify(models)
      const row = change.get(name ?? null, folder ?? null, instructions ?? null, held, at, id)
      return row && view(row as unknown as Row)
    },
    get(id: string): Workspace | undefined {
      const row = byId.get(id) as unknown as Row | undefined
      return row && view(row)
    },
    list: (tenant: string): Workspace[] => (ofTenant.all(tenant) as unknown as Row[]).map(view),
  }
}

function view({ models, created_at: createdAt, updated_at: updatedAt, ...row }: Row): Workspace {
  return { ...row, models: JSON.parse(models) as string[], createdAt, updatedAt }
}
