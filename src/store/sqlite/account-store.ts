import type { AccountStore } from '../accounts.ts'
import type { Base } from './base.ts'
import { keptIn } from './kept.ts'
import { keysIn } from './keys.ts'
import { workspacesIn } from './workspaces.ts'

export function accountStore({ db, group, beside, record, reading }: Base): AccountStore {
  const keys = keysIn(db)
  const workspaces = workspacesIn(db)
  const kept = keptIn(db)
  return {
    putKey: (key, more) =>
      beside(more, key.createdAt, () => {
        keys.put(key)
        return 'stored' as const
      }),
    key: (id) => reading(() => keys.get(id)),
    keys: (tenant) => reading(() => keys.list(tenant)),
    async revokeKey(id, at, more) {
      return (await beside(more, at, () => keys.revoke(id, at))) === true
    },
    putWorkspace: (workspace, more) =>
      beside(more, workspace.createdAt, () => {
        workspaces.put(workspace)
        return 'stored' as const
      }),
    changeWorkspace: (id, changes, at, records = []) =>
      group.run((onRollback) => {
        const changed = workspaces.change(id, changes, at)
        if (changed) record(records, onRollback)
        return changed
      }),
    workspace: (id) => reading(() => workspaces.get(id)),
    workspaces: (tenant) => reading(() => workspaces.list(tenant)),
    async keep(area, key, value, at, audit = []) {
      await beside({ audit }, at, () => kept.put(area, key, value, at))
    },
    kept: (area) => reading(() => kept.list(area)),
  }
}
