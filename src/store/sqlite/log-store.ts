import { Listeners } from '../../lib/listeners.ts'
import type { EventSlice, LogStore } from '../log.ts'
import type { Base } from './base.ts'
import type { Budgets } from './budgets.ts'
import { commitChange, setOwned } from './commit-change.ts'
import { eventKey } from './event-rows.ts'
import { ledgerIn } from './ledger.ts'
import { snapshotsIn } from './snapshots.ts'

const NOTHING: EventSlice = { events: [], isLast: true }

const SESSION = eventKey(1, 0)

/** The number of the last event of session `s`, own or inherited. */
const HEAD = `coalesce((SELECT key % ${SESSION} + n - 1 FROM events
  WHERE key >= s.num * ${SESSION} AND key < (s.num + 1) * ${SESSION} ORDER BY key DESC LIMIT 1), s.parent_seq, 0)`

/** Runs every second, so it reads only open rounds and waiting inputs, through their indexes. */
export const UNFINISHED = `
  WITH running (num) AS (SELECT key / ${SESSION} FROM rounds WHERE state = 'running' AND state <> 'ended'),
    looked (num, seen) AS (SELECT session, min(coalesce(seen, -1)) FROM inputs GROUP BY session),
    waiting (num) AS (SELECT s.num FROM looked JOIN sessions s ON s.num = looked.num WHERE looked.seen < ${HEAD})
  SELECT s.id FROM sessions s WHERE s.deleted = 0 AND s.num IN (SELECT num FROM running UNION SELECT num FROM waiting)
  ORDER BY s.num NOT IN running, s.num`

export function logStore(base: Base, budgets: Budgets): LogStore {
  const { db, group, owned, head, events, blobs, reading, living, inLiving, rowOf } = base
  const commit = commitChange(base, ledgerIn(db, budgets))
  const listeners = new Listeners<Parameters<Parameters<LogStore['subscribe']>[0]>>()
  const takeOver = db.prepare('UPDATE sessions SET epoch = epoch + 1 WHERE num = ? AND deleted = 0 RETURNING epoch')
  const unfinished = db.prepare(UNFINISHED)
  const snapshots = snapshotsIn(db, base.lineage)

  return {
    async commit(change) {
      const result = await group.run((onRollback) => commit(change, onRollback))
      if (result.kind === 'committed' && result.events.length > 0) listeners.notify(change.sessionId, result.events)
      return result
    },
    claim(sessionId) {
      return group.run((onRollback) => {
        const row = rowOf(sessionId)
        const next = row && (takeOver.get(row.num) as { epoch: number } | undefined)
        if (!next) return undefined
        const mine = { epoch: next.epoch, head: head(row.num, row.parent_seq ?? 0) }
        setOwned(owned, sessionId, { num: row.num, ...mine }, onRollback)
        return { kind: 'owned', ...mine } as const
      })
    },
    async release(sessionId) {
      owned.delete(sessionId)
    },
    unfinished: (most = Infinity) =>
      reading(() => {
        const ids = (unfinished.all() as { id: string }[]).map(({ id }) => id)
        let others = 0
        return ids.filter((id) => owned.has(id) || ++others <= most)
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
    subscribe: (listener) => listeners.subscribe(listener),
    // No other process uses the file.
    watch: () => () => {},
    blob: (hash) => reading(() => blobs.get(hash)),
    file: (sessionId, hash) => inLiving(sessionId, ({ num }) => blobs.file(sessionId, num, hash)),
  }
}
