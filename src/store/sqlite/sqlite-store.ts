import type { AuditStore } from '../audit.ts'
import type { Store } from '../store.ts'
import { accountStore } from './account-store.ts'
import { openBase, type Base } from './base.ts'
import { budgetsIn } from './budgets.ts'
import { entitlementsIn } from './entitlements.ts'
import { inboxStore } from './inbox-store.ts'
import { jobStore } from './jobs.ts'
import { listStore } from './list-store.ts'
import { logStore } from './log-store.ts'
import { moneyStore } from './money-store.ts'
import type { SqliteOptions } from './open-database.ts'
import { upkeepStore } from './upkeep.ts'

/** The whole store in one SQLite file that belongs to this process. */
export function openSqliteStore(options: SqliteOptions): Store {
  const base = openBase(options)
  const entitlements = entitlementsIn(base.db)
  const budgets = budgetsIn(base.db, entitlements)
  return {
    ...logStore(base, budgets),
    ...inboxStore(base),
    ...listStore(base),
    ...accountStore(base),
    ...moneyStore(base, entitlements, budgets),
    ...auditStore(base),
    ...jobStore(base),
    ...upkeepStore(base),
  }
}

function auditStore({ group, audit, reading }: Base): AuditStore {
  return {
    appendAudit: (records) => group.run((onRollback) => audit.append(records, onRollback)),
    auditPage: (query) => reading(() => audit.page(query)),
    auditRows: (after, limit) => reading(() => audit.rows(after, limit)),
  }
}
