import type { StoredEvent } from '../../contract/event.ts'
import type { LogStore } from '../log.ts'
import type { Base } from './base.ts'
import type { Budgets } from './budgets.ts'
import { commitChange, note, type Owned } from './commit-change.ts'
import { ledgerIn } from './ledger.ts'
import { snapshotsIn } from './snapshots.ts'
import { unfinishedIn } from './unfinished.ts'

type Listener = (sessionId: string, events: readonly StoredEvent[]) => void

export function logStore(base: Base, budgets: Budgets): LogStore {
  const { db, group, sessions, head, events, blobs, reading, living } = base
  const listeners = new Set<Listener>()
  const owned: Owned = new Map()
  const commit = commitChange(db, owned, base.claims, blobs, head, ledgerIn(db, budgets), base.audit.append)
  const takeOver = db.prepare('UPDATE sessions SET epoch = epoch + 1 WHERE num = ? AND deleted = 0 RETURNING epoch')
  const unfinished = unfinishedIn(db)
  const snapshots = snapshotsIn(db, base.lineage)

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
    unfinished: () => reading(unfinished),
    read(sessionId, range = {}) {
      return reading(() => {
        const row = living(sessionId)
        return row ? events(sessionId, row.num, range).events : []
      })
    },
    readSlice(sessionId, after, { limit, chars }) {
      return reading(() => {
        const row = living(sessionId)
        return row ? events(sessionId, row.num, { after, limit }, chars) : { events: [], isLast: true }
      })
    },
    putSnapshot(sessionId, snapshot) {
      return group.run(() => {
        const row = living(sessionId)
        if (row) snapshots.put(row.num, snapshot)
      })
    },
    snapshot(sessionId, version, upTo = Infinity) {
      return reading(() => {
        const row = living(sessionId)
        return row && snapshots.find(row.num, version, upTo)
      })
    },
    snapshots: (after, limit) => reading(() => snapshots.list(after, limit)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    blob: (hash) => reading(() => blobs.get(hash)),
    file(sessionId, hash) {
      return reading(() => {
        const row = living(sessionId)
        return row && blobs.file(sessionId, row.num, hash)
      })
    },
  }
}
