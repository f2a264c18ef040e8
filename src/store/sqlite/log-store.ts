import type { EventSlice, LogStore } from '../log.ts'
import type { Base } from './base.ts'
import type { Budgets } from './budgets.ts'
import { commitChange, note } from './commit-change.ts'
import type { Handle, Handles } from './handles.ts'
import { ledgerIn } from './ledger.ts'
import { snapshotsIn } from './snapshots.ts'
import { UNFINISHED } from './unfinished.ts'

const NOTHING: EventSlice = { events: [], isLast: true }

/** The logs, for each handle with what it owns and listens to. */
export function logStore(base: Base, budgets: Budgets, handles: Handles): (me: Handle) => LogStore {
  const { db, group, head, events, blobs, reading, living, inLiving, rowOf } = base
  const commit = commitChange(db, base.claims, blobs, head, ledgerIn(db, budgets), base.audit.append)
  const takeOver = db.prepare('UPDATE sessions SET epoch = epoch + 1 WHERE num = ? AND deleted = 0 RETURNING epoch')
  const unfinished = db.prepare(UNFINISHED)
  const snapshots = snapshotsIn(db, base.lineage)

  return (me) => ({
    async commit(change) {
      const result = await group.run((onRollback) => commit(change, me.owned, onRollback))
      if (result.kind === 'committed' && result.events.length > 0) handles.tell(me, change.sessionId, result.events)
      return result
    },
    claim(sessionId) {
      return group.run((onRollback) => {
        const other = handles.elsewhere(me, sessionId)
        if (other) return { kind: 'elsewhere', where: other.id, until: other.until() } as const
        const row = rowOf(sessionId)
        const taken = row && (takeOver.get(row.num) as { epoch: number } | undefined)
        if (!taken) return undefined
        const owned = { epoch: taken.epoch, head: head(row.num, row.parent_seq ?? 0) }
        handles.fence(me, sessionId, onRollback)
        note(me.owned, sessionId, { num: row.num, ...owned }, onRollback)
        return { kind: 'owned', ...owned } as const
      })
    },
    release(sessionId) {
      me.owned.delete(sessionId)
    },
    unfinished: () =>
      reading(() => {
        const ids = (unfinished.all() as { id: string }[]).map(({ id }) => id)
        return ids.filter((id) => !handles.elsewhere(me, id))
      }),
    read: async (sessionId, range = {}) =>
      (await inLiving(sessionId, ({ num }) => events(sessionId, num, range).events)) ?? [],
    readSlice: async (sessionId, after, { limit, chars }) =>
      (await inLiving(sessionId, ({ num }) => events(sessionId, num, { after, limit }, chars))) ?? NOTHING,
    putSnapshot(sessionId, snapshot) {
      return group.run(() => {
        const row = living(sessionId)
        if (row) snapshots.put(row.num, snapshot)
      })
    },
    snapshot: (sessionId, version, upTo = Infinity) =>
      inLiving(sessionId, ({ num }) => snapshots.find(num, version, upTo)),
    snapshots: (after, limit) => reading(() => snapshots.list(after, limit)),
    subscribe(listener) {
      me.listeners.add(listener)
      return () => me.listeners.delete(listener)
    },
    subscribeElsewhere(listener) {
      me.elsewhere.add(listener)
      return () => me.elsewhere.delete(listener)
    },
    blob: (hash) => reading(() => blobs.get(hash)),
    file: (sessionId, hash) => inLiving(sessionId, ({ num }) => blobs.file(sessionId, num, hash)),
  })
}
