import type { AuditStore } from '../audit.ts'
import type { Store } from '../store.ts'
import { accountStore } from './account-store.ts'
import { openBase, type Base } from './base.ts'
import { budgetsIn } from './budgets.ts'
import { entitlementsIn } from './entitlements.ts'
import { createHandles, type Node } from './handles.ts'
import { inboxStore } from './inbox-store.ts'
import { jobStore } from './jobs.ts'
import { listStore } from './list-store.ts'
import { logStore } from './log-store.ts'
import { moneyStore } from './money-store.ts'
import type { SqliteOptions } from './open-database.ts'
import { upkeepStore } from './upkeep.ts'

/** A process has its file alone: what it owns is its own until it ends. */
const ALONE: Node = { id: 'here', until: () => Infinity }

/** The whole store in one SQLite file that belongs to this process. */
export function openSqliteStore(options: SqliteOptions): Store {
  return openSqliteFile(options)(ALONE)
}

/**
 * An open file, to be used through several handles as if each were another process. They share the connection, its
 * transactions and the head of the audit log; the last one that is closed closes the file.
 */
export function openSqliteFile(options: SqliteOptions): (node: Node) => Store {
  const base = openBase(options)
  const entitlements = entitlementsIn(base.db)
  const budgets = budgetsIn(base.db, entitlements)
  const handles = createHandles()
  const log = logStore(base, budgets, handles)
  const upkeep = upkeepStore(base)
  const shared = {
    ...listStore(base),
    ...accountStore(base),
    ...moneyStore(base, entitlements, budgets),
    ...auditStore(base),
    ...jobStore(base),
    ...upkeep,
  }
  return (node) => {
    const me = handles.add(node)
    return {
      ...shared,
      ...log(me),
      ...inboxStore(base, handles, me),
      async close() {
        if (handles.isLast(me)) return upkeep.close()
        // What waits to be written is still its own.
        await base.group.run(() => me.owned.clear())
        handles.remove(me)
      },
    }
  }
}

function auditStore({ group, audit, reading }: Base): AuditStore {
  return {
    appendAudit: (records) => group.run((onRollback) => audit.append(records, onRollback)),
    auditPage: (query) => reading(() => audit.page(query)),
    auditRows: (after, limit) => reading(() => audit.rows(after, limit)),
  }
}
