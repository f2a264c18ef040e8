import type { AuditRecord } from '../../contract/audit.ts'
import type { StoredEvent } from '../../contract/event.ts'
import { Problem } from '../../contract/problem.ts'
import type { Beside } from '../accounts.ts'
import type { Repeated } from '../inbox.ts'
import type { Store } from '../store.ts'
import { approvalsIn } from './approvals.ts'
import { auditIn } from './audit.ts'
import { blobsIn } from './blobs.ts'
import { budgetsIn } from './budgets.ts'
import { claimsIn } from './claims.ts'
import { commitChange, note, type Owned } from './commit-change.ts'
import { entitlementsIn } from './entitlements.ts'
import { groupCommit, type OnRollback } from './group-commit.ts'
import { inputsIn } from './inputs.ts'
import { jobsIn } from './jobs.ts'
import { keysIn } from './keys.ts'
import { ledgerIn } from './ledger.ts'
import { lineageOf } from './lineage.ts'
import { openDatabase, type SqliteOptions } from './open-database.ts'
import { headOf, readEvents } from './read-events.ts'
import { roundListIn } from './round-list.ts'
import { endedBy, roundsIn } from './rounds.ts'
import { usageIn } from './usage.ts'
import { sessionsIn } from './sessions.ts'
import { asProblem } from './sqlite-problem.ts'
import { unfinishedIn } from './unfinished.ts'
import { unknownCallsIn } from './unknown-calls.ts'
import { upkeepIn } from './upkeep.ts'
import { keptIn } from './kept.ts'
import { workspacesIn } from './workspaces.ts'

/** What a fork appends to close a round is a few events for each call that was open: more than any turn can ask for. */
const CLOSING_EVENTS = 100_000

type Listener = (sessionId: string, events: readonly StoredEvent[]) => void

/** The whole store in one SQLite file that belongs to this process. */
export function openSqliteStore(options: SqliteOptions): Store {
  const { db, schema } = openDatabase(options)
  const group = groupCommit(db, options.durability === 'full' ? 'loop' : 'tick', (error) =>
    asProblem(error, options.file),
  )
  const listeners = new Set<Listener>()
  const owned: Owned = new Map()
  const lineage = lineageOf(db)
  const head = headOf(db)
  const claims = claimsIn(db)
  const inputs = inputsIn(db)
  const sessions = sessionsIn(db, head)
  const rounds = roundsIn(db, lineage)
  const roundList = roundListIn(db)
  const usage = usageIn(db)
  const approvals = approvalsIn(db)
  const unknownCalls = unknownCallsIn(db)
  const jobs = jobsIn(db)
  const keys = keysIn(db)
  const workspaces = workspacesIn(db)
  const kept = keptIn(db)
  const entitlements = entitlementsIn(db)
  const budgets = budgetsIn(db, entitlements)
  const events = readEvents(db, lineage)
  const blobs = blobsIn(db, lineage, events)
  const audit = auditIn(db)
  const commit = commitChange(db, owned, claims, blobs, head, ledgerIn(db, budgets), audit.append)
  const { settle, ...upkeep } = upkeepIn(db, options.file, group, (id) => sessions.row(id))
  const takeOver = db.prepare('UPDATE sessions SET epoch = epoch + 1 WHERE num = ? AND deleted = 0 RETURNING epoch')
  const unfinished = unfinishedIn(db)

  /** What is stored is stored: a listener that throws must not make it look failed, nor keep others from hearing. */
  function tell(sessionId: string, stored: readonly StoredEvent[]): void {
    for (const listener of listeners) {
      try {
        listener(sessionId, stored)
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  async function reading<T>(look: () => T): Promise<T> {
    try {
      return look()
    } catch (error) {
      throw asProblem(error, options.file)
    }
  }

  /** Something that is in no log, with what goes beside it; the claim decides whether it happens. */
  function beside<T>(more: Beside | undefined, at: number, write: () => T): Promise<T | Repeated> {
    return group.run((onRollback) => {
      const taken = more?.claim && claims.find(more.claim.key)
      if (taken) return { kind: 'repeated', claim: taken } as const
      const result = write()
      if (more?.claim) claims.put(more.claim, null, at)
      if (result !== false) record(more?.audit ?? [], onRollback)
      return result
    })
  }

  /** A row of the audit log belongs to one tenant. */
  function record(records: readonly AuditRecord[], onRollback: OnRollback): void {
    for (const ofOne of Map.groupBy(records, ({ tenant }) => tenant).values()) audit.append(ofOne, onRollback)
  }

  return {
    schema,
    async commit(change) {
      const result = await group.run((onRollback) => commit(change, onRollback))
      if (result.kind === 'committed' && result.events.length > 0) tell(change.sessionId, result.events)
      return result
    },

    claim(sessionId) {
      return group.run((onRollback) => {
        const row = sessions.row(sessionId)
        const taken = row && (takeOver.get(row.num) as { epoch: number } | undefined)
        if (!taken) return undefined
        const ownership = { epoch: taken.epoch, head: head(row.num, row.parent_seq ?? 0) }
        note(owned, sessionId, { num: row.num, ...ownership }, onRollback)
        return ownership
      })
    },

    release(sessionId) {
      owned.delete(sessionId)
    },

    read(sessionId, range = {}) {
      return reading(() => {
        const row = sessions.row(sessionId)
        return row && row.deleted === 0 ? events(sessionId, row.num, range).events : []
      })
    },
    readSlice(sessionId, after, { limit, chars }) {
      return reading(() => {
        const row = sessions.row(sessionId)
        if (!row || row.deleted === 1) return { events: [], isLast: true }
        return events(sessionId, row.num, { after, limit }, chars)
      })
    },

    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    putInput(input, claim, files = [], most = Infinity) {
      return group.run(() => {
        const taken = claim && claims.find(claim.key)
        if (taken) return { kind: 'repeated', claim: taken } as const
        const row = sessions.row(input.sessionId)
        if (!row || row.deleted === 1) throw new Problem('NOT_FOUND', `There is no session ${input.sessionId}.`)
        const waiting = inputs.waiting(row.num, input.key)
        if (waiting !== undefined) return { kind: 'waits', id: waiting } as const
        if (most !== Infinity && inputs.count(row.num) >= most) return 'full' as const
        inputs.put(input, row.num)
        blobs.put(files)
        if (claim) claims.put(claim, row.num, input.at)
        return 'stored' as const
      })
    },
    pendingInputs(sessionId) {
      return reading(() => {
        const row = sessions.row(sessionId)
        return row ? inputs.pending(sessionId, row.num) : []
      })
    },
    findClaim: (key) => reading(() => claims.find(key)),
    forgetClaims: (before, most) => group.run(() => claims.forget(before, most)),

    session: (id) => reading(() => sessions.get(id)),
    sessionByAlias: (owner, alias) => reading(() => sessions.byAlias(owner, alias)),
    sessions: (query) => reading(() => sessions.list(query)),
    family: (sessionId) => reading(() => sessions.family(sessionId)),
    round: (requestId) => reading(() => rounds.get(requestId)),
    queuedMessage: (requestId) => reading(() => inputs.message(requestId)),
    roundIn(sessionId, requestId) {
      return reading(() => {
        const row = sessions.row(sessionId)
        const found = row?.deleted === 0 ? rounds.in(row.num, requestId) : undefined
        if (!row || !found) return undefined
        const round = { ...found.round, sessionId }
        if (found.openAt === undefined) return round
        const closing = events(sessionId, row.num, { after: found.openAt, limit: CLOSING_EVENTS }).events
        return endedBy(round, closing)
      })
    },
    roundAt(sessionId, seq) {
      return reading(() => {
        const row = sessions.row(sessionId)
        return row?.deleted === 0 ? rounds.at(row.num, seq) : undefined
      })
    },
    rounds(query) {
      return reading(() => {
        const num = query.sessionId === undefined ? undefined : sessions.row(query.sessionId)?.num
        if (query.sessionId !== undefined && num === undefined) return []
        return rounds.list(num, query.states, query.limit ?? 100)
      })
    },
    roundPage(query) {
      return reading(() => {
        const num = query.sessionId === undefined ? undefined : sessions.row(query.sessionId)?.num
        if (query.sessionId !== undefined && num === undefined) return { items: [], next: null }
        return roundList(query, num)
      })
    },
    usage: (query) => reading(() => usage(query)),
    unfinished: () => reading(unfinished),
    approval: (id) => reading(() => approvals.get(id)),
    approvals: (query) => reading(() => approvals.list(query)),
    dueApprovals: (now) => reading(() => approvals.due(now)),
    unknownCall: (callId) => reading(() => unknownCalls.get(callId)),
    unknownCalls: (query) => reading(() => unknownCalls.list(query)),
    blob: (hash) => reading(() => blobs.get(hash)),
    file(sessionId, hash) {
      return reading(() => {
        const row = sessions.row(sessionId)
        return row?.deleted === 0 ? blobs.file(sessionId, row.num, hash) : undefined
      })
    },

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
    async keep(area, key, value, at, audit = []) {
      await beside({ audit }, at, () => kept.put(area, key, value, at))
    },
    kept: (area) => reading(() => kept.list(area)),
    workspace: (id) => reading(() => workspaces.get(id)),
    workspaces: (tenant) => reading(() => workspaces.list(tenant)),

    putEntitlement: (entitlement, more) =>
      beside(more, entitlement.updatedAt, () => {
        entitlements.put(entitlement)
        return 'stored' as const
      }),
    async removeEntitlement(tenant, userId, at, more) {
      return (await beside(more, at, () => entitlements.remove(tenant, userId))) === true
    },
    entitlement: (tenant, userId) => reading(() => entitlements.get(tenant, userId)),
    entitlements: (tenant) => reading(() => entitlements.list(tenant)),
    left: (tenant, userId, at) => reading(() => budgets.left(tenant, userId, at)),
    spending: (query) => reading(() => budgets.spending(query)),
    forgetReservations: (before, most) => group.run(() => budgets.forget(before, most)),

    takeJob: (now, leaseMs) => group.run(() => jobs.take(now, leaseMs)),
    finishJob: (id) => group.run(() => jobs.finish(id)),
    retryJob: (id, runAt) => group.run(() => jobs.retry(id, runAt)),

    appendAudit: (records) => group.run((onRollback) => audit.append(records, onRollback)),
    async auditPage(query) {
      try {
        return await audit.page(query)
      } catch (error) {
        throw asProblem(error, options.file)
      }
    },
    auditRows: (after, limit) => reading(() => audit.rows(after, limit)),

    ...upkeep,
    async close() {
      await settle()
      await group.close()
      if (db.isOpen) db.close()
    },
  }
}
