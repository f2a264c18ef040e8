import { Problem } from '../../contract/problem.ts'
import type { NodeStore } from '../nodes.ts'
import type { Store } from '../store.ts'
import { approvalLists } from './approvals.ts'
import { auditStore } from './audit.ts'
import { automationStore } from './automations.ts'
import { openBase, type PostgresOptions } from './base.ts'
import { budgetStore } from './budgets.ts'
import { watchChanges } from './changes.ts'
import { COMMIT_CONNECTIONS, commitStore } from './commit-store.ts'
import { openDatabase } from './database.ts'
import { inboxStore } from './inbox-store.ts'
import { invocationStore } from './invocations.ts'
import { jobStore } from './jobs.ts'
import { valueStore } from './key-values.ts'
import { keyStore } from './keys.ts'
import { knowledgeStore } from './knowledge.ts'
import { logStore } from './log-store.ts'
import { memoryStore } from './memories.ts'
import { nodeStore } from './nodes.ts'
import { outboxStore } from './outbox.ts'
import { partTexts } from './parts.ts'
import { preferenceStore } from './preferences.ts'
import { promptStore } from './prompts.ts'
import { roundPages } from './round-list.ts'
import { roundLists } from './rounds.ts'
import { startSealing } from './seal-audit.ts'
import { secretStore } from './secrets.ts'
import { sessionLists } from './sessions.ts'
import { unknownCallLists } from './unknown-calls.ts'
import { usageList } from './usage.ts'
import { upkeepStore } from './upkeep.ts'
import { watchHeads } from './watch.ts'
import { workspaceStore } from './workspaces.ts'

/** A renewal must not wait behind anything else, not even another renewal that hangs. */
const NODE_CONNECTIONS = 2
/** Short enough for a second try before the lease ends. */
const NODE_MS = 2000

/** For work that takes long and must not run on two nodes at once. */
const SLOW_CONNECTIONS = 2
/** How long such work may take without a statement. */
const SLOW_MS = 120_000

/** A store in a PostgreSQL database that other nodes use at the same time. */
export async function openPostgres(options: PostgresOptions): Promise<{ store: Store; nodes: NodeStore }> {
  const { nodeMs = NODE_MS, commitConnections = COMMIT_CONNECTIONS } = options
  const connections = Math.max(2, options.connections - commitConnections - NODE_CONNECTIONS - SLOW_CONNECTIONS)
  const base = await openBase({ ...options, connections })
  const lease = openDatabase({ ...options, connections: NODE_CONNECTIONS, connectMs: nodeMs, statementMs: nodeMs })
  const { close: closeCommits, ...commits } = commitStore(options, base.owned)
  const { query, node, owned } = base
  const watching = watchHeads({ query, node, isOwned: owned.has, everyMs: options.watchMs })
  const sealing = startSealing(base)
  const changes = watchChanges(base)
  const slow = openDatabase({ ...options, connections: SLOW_CONNECTIONS, idleMs: SLOW_MS })
  const closing = new AbortController()
  const store: Store = {
    ...commits,
    ...logStore(base),
    ...inboxStore(base),
    watch: watching.watch,
    ...budgetStore(base),
    ...sessionLists(base),
    ...roundLists(base),
    ...roundPages(base),
    ...usageList(base),
    ...approvalLists(base),
    ...unknownCallLists(base),
    ...upkeepStore(base, sealing, closing.signal),
    ...keyStore(base),
    ...workspaceStore(base),
    ...valueStore(base, slow),
    onChange: changes.onChange,
    ...promptStore(base),
    ...preferenceStore(base),
    ...knowledgeStore(base),
    ...memoryStore(base),
    ...outboxStore(base),
    ...automationStore(base),
    ...invocationStore(base),
    ...secretStore(base),
    parts: (hashes) => partTexts(query, hashes),
    ...auditStore(base, sealing),
    ...jobStore(base),
    close: (): Promise<void> => (closed ??= close()),
  }
  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    closing.abort(new Problem('SHUTTING_DOWN', 'Segno stops; ask again when it runs.'))
    watching.close()
    await closeCommits()
    await sealing.close()
    await changes.close()
    await Promise.all([base.close(), lease.close(), slow.close()])
  }
  return { store, nodes: nodeStore(lease, base.version) }
}
