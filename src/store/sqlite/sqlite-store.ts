import type { AuditStore } from '../audit.ts'
import type { Store } from '../store.ts'
import { approvalLists } from './approvals.ts'
import { automationStore } from './automations.ts'
import { openBase, type Base } from './base.ts'
import { budgetsIn } from './budgets.ts'
import { inboxStore } from './inbox-store.ts'
import { invocationStore } from './invocations.ts'
import { jobStore } from './jobs.ts'
import { valueStore } from './key-values.ts'
import { keyStore } from './keys.ts'
import { openKnowledge } from './knowledge.ts'
import { logStore } from './log-store.ts'
import { memoryStore } from './memories.ts'
import type { SqliteOptions } from './open-database.ts'
import { outboxStore } from './outbox.ts'
import { preferenceStore } from './preferences.ts'
import { promptStore } from './prompts.ts'
import { roundPages } from './round-list.ts'
import { roundLists } from './rounds.ts'
import { secretStore } from './secrets.ts'
import { sessionLists } from './sessions.ts'
import { unknownCallLists } from './unknown-calls.ts'
import { upkeepStore } from './upkeep.ts'
import { usageList } from './usage.ts'
import { workspaceStore } from './workspaces.ts'

export function openSqliteStore(options: SqliteOptions): Store {
  const base = openBase(options)
  const budgets = budgetsIn(base)
  const knowledge = openKnowledge(base)
  return {
    ...logStore(base, budgets),
    ...inboxStore(base),
    ...sessionLists(base),
    ...roundLists(base),
    ...roundPages(base),
    ...usageList(base),
    ...approvalLists(base),
    ...unknownCallLists(base),
    ...keyStore(base),
    ...workspaceStore(base),
    ...valueStore(base),
    ...promptStore(base),
    ...preferenceStore(base),
    ...knowledge.store,
    ...memoryStore(base),
    ...outboxStore(base),
    ...automationStore(base),
    ...invocationStore(base, budgets),
    ...secretStore(base),
    parts: (hashes) => base.reading(() => base.parts.get(hashes)),
    ...budgets.store,
    ...auditStore(base),
    ...jobStore(base),
    ...upkeepStore(base, knowledge.upkeep),
    // Looked up when it is first asked, because that takes longer than opening a database.
    get hasVectors() {
      return knowledge.hasVectors()
    },
  }
}

function auditStore({ group, audit, reading }: Base): AuditStore {
  return {
    appendAudit: (records) => group.run((onRollback) => audit.append(records, onRollback)),
    auditPage: (query) => reading(() => audit.page(query)),
    auditRows: (after, limit) => reading(() => audit.rows(after, limit)),
  }
}
