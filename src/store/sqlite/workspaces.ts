import type { AccountStore } from '../accounts.ts'
import { viewOf } from '../page.ts'
import {
  CHANGING_COLUMNS,
  WORKSPACE_COLUMNS,
  workspaceOfRow,
  workspaceValues,
  type WorkspaceRow,
} from '../workspace-row.ts'
import type { Base } from './base.ts'

type Workspaces = Pick<AccountStore, 'putWorkspace' | 'changeWorkspace' | 'workspace' | 'workspaces'>

export function workspaceStore({ db, group, withExtras, record, reading }: Base): Workspaces {
  const put = db.prepare(
    `INSERT INTO workspaces (${CHANGING_COLUMNS.join(', ')}, id, tenant, created_at, updated_at)
     VALUES (${[...CHANGING_COLUMNS, 'id', 'tenant', 'created_at', 'updated_at'].map(() => '?').join(', ')})`,
  )
  // NULL leaves a column unchanged.
  const change = db.prepare(
    `UPDATE workspaces SET ${CHANGING_COLUMNS.map((column) => `${column} = coalesce(?, ${column})`).join(', ')},
     updated_at = ? WHERE id = ? RETURNING ${WORKSPACE_COLUMNS}`,
  )
  const byId = db.prepare(`SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE id = ?`)
  const ofTenant = db.prepare(`SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE tenant = ? ORDER BY created_at, id`)
  return {
    putWorkspace(workspace, more) {
      const { id, tenant, createdAt, updatedAt } = workspace
      return withExtras(more, createdAt, () => {
        put.run(...workspaceValues(workspace), id, tenant, createdAt, updatedAt)
        return 'stored'
      })
    },
    changeWorkspace: (id, changes, at, records = []) =>
      group.run((onRollback) => {
        const changed = viewOf(change.get(...workspaceValues(changes), at, id), workspaceOfRow)
        if (changed) record(records, onRollback)
        return changed
      }),
    workspace: (id) => reading(() => viewOf(byId.get(id), workspaceOfRow)),
    workspaces: (tenant) => reading(() => (ofTenant.all(tenant) as unknown as WorkspaceRow[]).map(workspaceOfRow)),
  }
}
