import type { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '../../contract/event.ts'
import { hashesOf } from '../hashes-of.ts'
import { projectAll, type Projection } from '../project.ts'
import { spendingOf } from '../spending.ts'
import type { Repeated } from '../inbox.ts'
import type { Change, Committed, Conflict } from '../log.ts'
import type { OverBudget } from '../money.ts'
import { packRows, ROW_EVENTS } from '../pack-events.ts'
import { projectedRows } from './projected-rows.ts'
import { eventKey } from './event-rows.ts'
import type { Base } from './base.ts'
import type { OnRollback } from './group-commit.ts'
import type { Ledger } from './ledger.ts'

/** What the owner of a session knows about it; the file has no other process, so memory and file agree. */
export interface OwnedRow {
  num: number
  epoch: number
  head: number
}

/** Sets or clears the owned row inside a transaction, and undoes that if the transaction fails. */
export function setOwned(
  owned: Base['owned'],
  sessionId: string,
  row: OwnedRow | undefined,
  onRollback: OnRollback,
): void {
  const before = owned.get(sessionId)
  const set = (to: OwnedRow | undefined): unknown => (to ? owned.set(sessionId, to) : owned.delete(sessionId))
  set(row)
  onRollback(() => set(before))
}

/**
 * Checks a change and writes it inside a transaction; if the money turns out not to suffice, what was written is rolled
 * back.
 */
export function commitChange(
  { db, owned, claims, blobs, parts, head, audit, outbox, rowOf, living }: Base,
  ledger: Ledger,
) {
  const findAlias = db.prepare('SELECT num FROM sessions WHERE tenant = ? AND owner = ? AND alias = ?')
  const insertEvents = db.prepare('INSERT INTO events (key, n, body) VALUES (?, ?, ?)')
  const deleteInput = db.prepare('DELETE FROM inputs WHERE id = ?')
  const markInput = db.prepare('UPDATE inputs SET seen = ? WHERE id = ?')
  const insertJob = db.prepare('INSERT INTO jobs (kind, payload, run_at) VALUES (?, ?, ?)')
  const rows = projectedRows(db)
  const savepoint = db.prepare('SAVEPOINT change')
  const takeBack = db.prepare('ROLLBACK TO change')
  const release = db.prepare('RELEASE change')

  function refusal(change: Change): Conflict | Repeated | undefined {
    const taken = change.claim && claims.find(change.claim.key)
    if (taken) return { kind: 'repeated', claim: taken }
    if (change.create) {
      const parent = change.create.parent
      if (rowOf(change.sessionId) || aliasTaken(change)) return { kind: 'conflict', reason: 'exists' }
      const from = parent && living(parent.sessionId)
      if (parent && !from) return { kind: 'conflict', reason: 'gone' }
      const known = from ? head(from.num, from.parent_seq ?? 0) : 0
      const point = parent?.seq ?? 0
      return change.expected === point && point <= known ? undefined : { kind: 'conflict', reason: 'number' }
    }
    const row = owned.get(change.sessionId)
    if (!row && !living(change.sessionId)) return { kind: 'conflict', reason: 'gone' }
    if (!row || row.epoch !== change.epoch) return { kind: 'conflict', reason: 'epoch' }
    return row.head === change.expected ? undefined : { kind: 'conflict', reason: 'number' }
  }

  function aliasTaken({ events: [first] }: Change): boolean {
    if (first?.type !== 'session.created' || first.data.alias === undefined) return false
    const { actor, alias } = first.data
    return findAlias.get(actor.tenant, actor.id, alias) !== undefined
  }

  function create({ sessionId, create: created }: Change, projections: readonly Projection[]): OwnedRow {
    const parent = created?.parent
    const parentNum = parent ? (rowOf(parent.sessionId)?.num ?? null) : null
    const num = rows.createSession(sessionId, parentNum, parent?.seq ?? null, projections)
    return { num, epoch: 1, head: parent?.seq ?? 0 }
  }

  function write(change: Change, onRollback: OnRollback): Committed | OverBudget {
    const first = change.expected + 1
    const events = change.events.map((event, i): StoredEvent => ({
      ...event,
      sessionId: change.sessionId,
      seq: first + i,
    }))
    const projections = projectAll(events)
    const row = change.create ? create(change, projections) : (owned.get(change.sessionId) as OwnedRow)
    for (const [i, body] of packRows(change.events).entries()) {
      const before = i * ROW_EVENTS
      insertEvents.run(eventKey(row.num, first + before), Math.min(events.length - before, ROW_EVENTS), body)
    }
    for (const projection of projections) rows.apply(projection, row.num)
    const named = new Set<string>()
    for (const event of events) {
      if (event.type === 'session.deleted') forget(db, row.num)
      for (const hash of hashesOf(event)) {
        blobs.refer(hash, row.num, event.seq)
        named.add(hash)
      }
      const over = ledger.book(event, row.num)
      if (over) return over
    }
    blobs.put(change.blobs ?? [])
    parts.put(change.parts ?? [], row.num, first)
    // A file that only the consumed input named, such as one of a cancelled message, goes with it.
    const files = (change.consumed ?? []).flatMap(blobs.ofInput).filter((hash) => !named.has(hash))
    for (const input of change.consumed ?? []) deleteInput.run(input)
    blobs.eraseUnnamed(files)
    for (const input of change.deferred ?? []) markInput.run(row.head + events.length, input)
    for (const job of change.jobs ?? []) insertJob.run(job.kind, JSON.stringify(job.payload), job.runAt)
    if (change.claim) claims.put(change.claim, row.num, change.claim.at ?? change.events[0]?.at ?? Date.now())
    if (change.outbox) outbox.append(change.outbox)
    if (change.audit) audit.append(change.audit, onRollback)
    const gone = events.some((event) => event.type === 'session.deleted')
    setOwned(owned, change.sessionId, gone ? undefined : { ...row, head: row.head + events.length }, onRollback)
    return { kind: 'committed', events }
  }

  return (change: Change, onRollback: OnRollback): Committed | Conflict | Repeated | OverBudget => {
    const refused = refusal(change)
    if (refused) return refused
    if (!change.events.some((event) => spendingOf(event)?.reserve)) return write(change, onRollback)
    savepoint.run()
    const result = write(change, onRollback)
    if (result.kind === 'over') takeBack.run()
    release.run()
    return result
  }
}

/** Deletes what a deleted session has in these tables; `purge` erases its events and rounds. */
function forget(db: DatabaseSync, num: number): void {
  for (const table of ['approvals', 'calls', 'inputs']) db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(num)
}
