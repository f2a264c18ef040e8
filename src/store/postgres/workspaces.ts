import type { AccountStore } from '../accounts.ts'
import { viewOf } from '../page.ts'
import {
  CHANGING_COLUMNS,
  WORKSPACE_COLUMNS,
  workspaceOfRow,
  workspaceValues,
  type WorkspaceRow,
} from '../workspace-row.ts'
import { record, type Base } from './base.ts'

type Workspaces = Pick<AccountStore, 'putWorkspace' | 'changeWorkspace' | 'workspace' | 'workspaces'>

const COLUMNS = [...CHANGING_COLUMNS, 'id', 'tenant', 'created_at', 'updated_at']
const INSERT = `INSERT INTO workspaces (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((_, i) => `$${i + 1}`).join(', ')})`

// NULL leaves a column unchanged.
const CHANGE = `UPDATE workspaces
  SET ${CHANGING_COLUMNS.map((column, i) => `${column} = coalesce($${i + 1}, ${column})`).join(', ')}, updated_at = greatest(updated_at, $${CHANGING_COLUMNS.length + 1})
  WHERE id = $${CHANGING_COLUMNS.length + 2} RETURNING ${WORKSPACE_COLUMNS}`

export function workspaceStore({ query, transaction, withExtras }: Base): Workspaces {
  return {
    putWorkspace(workspace, more) {
      const { id, tenant, createdAt, updatedAt } = workspace
      return withExtras(more, createdAt, async (within) => {
        await within(INSERT, [...workspaceValues(workspace), id, tenant, createdAt, updatedAt])
        return 'stored' as const
      })
    },
    changeWorkspace: (id, changes, at, records = []) =>
      transaction(async (within) => {
        const [row] = await within<WorkspaceRow>(CHANGE, [...workspaceValues(changes), at, id])
        if (row) await record(within, records)
        return viewOf(row, workspaceOfRow)
      }),
    async workspace(id) {
      const [row] = await query<WorkspaceRow>(`SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE id = $1`, [id])
      return viewOf(row, workspaceOfRow)
    },
    async workspaces(tenant) {
      const rows = await query<WorkspaceRow>(
        `SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE tenant = $1 ORDER BY created_at, id`,
        [tenant],
      )
      return rows.map(workspaceOfRow)
    },
  }
}
