import { backup } from 'node:sqlite'
import type { StoredEvent } from '../../contract/event.ts'
import { Problem } from '../../contract/problem.ts'
import type { Store } from '../store.ts'
import { approvalsIn } from './approvals.ts'
import { checkStore } from './check-store.ts'
import { claimsIn } from './claims.ts'
import { commitChange, note, type Owned } from './commit-change.ts'
import { groupCommit } from './group-commit.ts'
import { inputsIn } from './inputs.ts'
import { jobsIn } from './jobs.ts'
import { lineageOf } from './lineage.ts'
import { openDatabase, type SqliteOptions } from './open-database.ts'
import { purgeIn } from './purge.ts'
import { headOf, readEvents } from './read-events.ts'
import { roundsIn } from './rounds.ts'
import { sessionsIn } from './sessions.ts'
import { asProblem } from './sqlite-problem.ts'
import { unknownCallsIn } from './unknown-calls.ts'

type Listener = (sessionId: string, events: readonly StoredEvent[]) => void

/** The whole store in one SQLite file that belongs to this process. */
export function openSqliteStore(options: SqliteOptions): Store {
  const db = openDatabase(options)
  const group = groupCommit(db, (error) => asProblem(error, options.file))
  const listeners = new Set<Listener>()
  const owned: Owned = new Map()
  const lineage = lineageOf(db)
  const head = headOf(db)
  const claims = claimsIn(db)
  const inputs = inputsIn(db)
  const sessions = sessionsIn(db, head)
  const rounds = roundsIn(db, lineage)
  const approvals = approvalsIn(db)
  const unknownCalls = unknownCallsIn(db)
  const jobs = jobsIn(db)
  const events = readEvents(db, lineage)
  const purge = purgeIn(db)
  const commit = commitChange(db, owned, claims, head)
  const takeOver = db.prepare('UPDATE sessions SET epoch = epoch + 1 WHERE num = ? AND deleted = 0 RETURNING epoch')
  const findBlob = db.prepare('SELECT bytes FROM blobs WHERE hash = ?')
  const pendingSessions = db.prepare(
    `SELECT DISTINCT s.id FROM sessions s WHERE s.deleted = 0 AND (s.num IN (SELECT session FROM inputs)
     OR s.num IN (SELECT key / (1 << 26) FROM rounds WHERE state = 'running')) ORDER BY s.num`,
  )

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

  return {
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

    async read(sessionId, range = {}) {
      const row = sessions.row(sessionId)
      return row && row.deleted === 0 ? events(sessionId, row.num, range) : []
    },

    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    putInput(input, claim) {
      return group.run(() => {
        const taken = claims.find(claim.key)
        if (taken) return { kind: 'repeated', claim: taken } as const
        const row = sessions.row(input.sessionId)
        if (!row || row.deleted === 1) throw new Problem('NOT_FOUND', `There is no session ${input.sessionId}.`)
        inputs.put(input, row.num)
        claims.put(claim, row.num)
        return 'stored' as const
      })
    },
    async pendingInputs(sessionId) {
      const row = sessions.row(sessionId)
      return row ? inputs.pending(sessionId, row.num) : []
    },
    findClaim: async (key) => claims.find(key),

    session: async (id) => sessions.get(id),
    sessionByAlias: async (tenant, alias) => sessions.byAlias(tenant, alias),
    sessions: async (query) => sessions.list(query),
    round: async (requestId) => rounds.get(requestId),
    async roundAt(sessionId, seq) {
      const row = sessions.row(sessionId)
      return row?.deleted === 0 ? rounds.at(row.num, seq) : undefined
    },
    async rounds(query) {
      const num = query.sessionId === undefined ? undefined : sessions.row(query.sessionId)?.num
      if (query.sessionId !== undefined && num === undefined) return []
      return rounds.list(num, query.states, query.limit ?? 100)
    },
    unfinished: async () => (pendingSessions.all() as { id: string }[]).map((row) => row.id),
    approval: async (id) => approvals.get(id),
    approvals: async (query) => approvals.list(query.status, query.sessionId),
    unknownCall: async (callId) => unknownCalls.get(callId),
    unknownCalls: async (query) => unknownCalls.list(query.reconciled),
    blob: async (hash) => (findBlob.get(hash) as { bytes: Uint8Array } | undefined)?.bytes,

    takeJob: (now, leaseMs) => group.run(() => jobs.take(now, leaseMs)),
    finishJob: (id) => group.run(() => jobs.finish(id)),
    retryJob: (id, runAt) => group.run(() => jobs.retry(id, runAt)),

    async purge(sessionId) {
      const row = sessions.row(sessionId)
      if (!row || row.deleted === 0) return { events: 0, blobs: 0 }
      const freed = await group.run(() => purge(row.num))
      // The erased pages still stand in the write-ahead log until it is folded into the file and emptied.
      try {
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        throw asProblem(error, options.file)
      }
      return freed
    },
    async backup(file) {
      try {
        await backup(db, file)
      } catch (error) {
        throw asProblem(error, file)
      }
    },
    check: async () => checkStore(db),
    async close() {
      group.close()
      if (db.isOpen) db.close()
    },
  }
}
