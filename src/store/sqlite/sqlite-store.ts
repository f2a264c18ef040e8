import type { AuditStore } from '../audit.ts'
import type { Store } from '../store.ts'
import { approvalLists } from './approvals.ts'
import { openBase, type Base } from './base.ts'
import { budgetsIn } from './budgets.ts'
import { createHandles, type Node } from './handles.ts'
import { inboxStore } from './inbox-store.ts'
import { jobStore } from './jobs.ts'
import { keptStore } from './kept.ts'
import { keyStore } from './keys.ts'
import { logStore } from './log-store.ts'
import type { SqliteOptions } from './open-database.ts'
import { roundPages } from './round-list.ts'
import { roundLists } from './rounds.ts'
import { sessionLists } from './sessions.ts'
import { unknownCallLists } from './unknown-calls.ts'
import { upkeepStore } from './upkeep.ts'
import { usageList } from './usage.ts'
import { workspaceStore } from './workspaces.ts'

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
  const budgets = budgetsIn(base)
  const handles = createHandles()
  const log = logStore(base, budgets, handles)
  const upkeep = upkeepStore(base)
  const shared = {
    ...sessionLists(base),
    ...roundLists(base),
    ...roundPages(base),
    ...usageList(base),
    ...approvalLists(base),
    ...unknownCallLists(base),
    ...keyStore(base),
    ...workspaceStore(base),
    ...keptStore(base),
    ...budgets.store,
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
