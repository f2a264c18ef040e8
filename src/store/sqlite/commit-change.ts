import type { DatabaseSync } from 'node:sqlite'
import type { AuditRecord } from '../../contract/audit.ts'
import { filesOf, type StoredEvent } from '../../contract/event.ts'
import { project, type Projection } from '../project.ts'
import { spendingOf } from '../spending.ts'
import type { Repeated } from '../inbox.ts'
import type { Change, Committed, Conflict } from '../log.ts'
import type { OverBudget } from '../money.ts'
import { inOneEach, projectedRows } from './projected-rows.ts'
import { eventKey, pack } from './event-rows.ts'
import type { Blobs } from './blobs.ts'
import type { Claims } from './claims.ts'
import type { OnRollback } from './group-commit.ts'
import type { Ledger } from './ledger.ts'
import type { HeadOf } from './read-events.ts'

/** What the owner of a session knows about it; all who use the file are in this process, so memory and file agree. */
export interface OwnedRow {
  num: number
  epoch: number
  head: number
}

export type Owned = Map<string, OwnedRow>

/** Notes inside a transaction who owns a session, or that nobody does; taken back if the transaction fails. */
export function note(owned: Owned, sessionId: string, row: OwnedRow | undefined, onRollback: OnRollback): void {
  const before = owned.get(sessionId)
  const set = (to: OwnedRow | undefined): unknown => (to ? owned.set(sessionId, to) : owned.delete(sessionId))
  set(row)
  onRollback(() => set(before))
}

interface Found {
  num: number
  parent_seq: number | null
  deleted: number
}

/**
 * Checks a change, then writes it; runs inside a transaction. Decides before it writes, or takes back what it wrote
 * where only the writing shows that the money does not suffice.
 */
export function commitChange(
  db: DatabaseSync,
  claims: Claims,
  blobs: Blobs,
  headOf: HeadOf,
  ledger: Ledger,
  record: (records: readonly AuditRecord[], onRollback: OnRollback) => void,
) {
  const findSession = db.prepare('SELECT num, parent_seq, deleted FROM sessions WHERE id = ?')
  const findAlias = db.prepare('SELECT num FROM sessions WHERE tenant = ? AND owner = ? AND alias = ?')
  const insertEvents = db.prepare('INSERT INTO events (key, n, body) VALUES (?, ?, ?)')
  const deleteInput = db.prepare('DELETE FROM inputs WHERE id = ?')
  const markInput = db.prepare('UPDATE inputs SET seen = ? WHERE id = ?')
  const insertJob = db.prepare('INSERT INTO jobs (kind, payload, run_at) VALUES (?, ?, ?)')
  const rows = projectedRows(db)
  const savepoint = db.prepare('SAVEPOINT change')
  const takeBack = db.prepare('ROLLBACK TO change')
  const release = db.prepare('RELEASE change')

  function living(sessionId: string): Found | undefined {
    const found = findSession.get(sessionId) as unknown as Found | undefined
    return found?.deleted === 0 ? found : undefined
  }

  function refusal(change: Change, owned: Owned): Conflict | Repeated | undefined {
    const taken = change.claim && claims.find(change.claim.key)
    if (taken) return { kind: 'repeated', claim: taken }
    if (change.create) {
      const parent = change.create.parent
      if (findSession.get(change.sessionId) || aliasTaken(change)) return { kind: 'conflict', reason: 'exists' }
      const from = parent && living(parent.sessionId)
      if (parent && !from) return { kind: 'conflict', reason: 'gone' }
      const known = from ? headOf(from.num, from.parent_seq ?? 0) : 0
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

  function create({ sessionId, create: wish }: Change, projections: readonly Projection[]): OwnedRow {
    const parent = wish?.parent
    const parentNum = parent ? (findSession.get(parent.sessionId) as { num: number }).num : null
    const num = rows.createSession(sessionId, parentNum, parent?.seq ?? null, projections)
    return { num, epoch: 1, head: parent?.seq ?? 0 }
  }

  function write(change: Change, owned: Owned, onRollback: OnRollback): Committed | OverBudget {
    const first = change.expected + 1
    const events = change.events.map((event, i): StoredEvent => ({
      ...event,
      sessionId: change.sessionId,
      seq: first + i,
    }))
    const projections = inOneEach(events.flatMap(project))
    const row = change.create ? create(change, projections) : (owned.get(change.sessionId) as OwnedRow)
    if (events.length > 0) insertEvents.run(eventKey(row.num, first), events.length, pack(change.events))
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
    // What an input named and no event does, of a message that was cancelled while it waited, say, goes with it.
    const files = (change.consumed ?? []).flatMap(blobs.ofInput).filter((hash) => !named.has(hash))
    for (const input of change.consumed ?? []) deleteInput.run(input)
    blobs.eraseUnnamed(files)
    for (const input of change.looked ?? []) markInput.run(row.head + events.length, input)
    for (const job of change.jobs ?? []) insertJob.run(job.kind, JSON.stringify(job.payload), job.runAt)
    if (change.claim) claims.put(change.claim, row.num, change.events[0]?.at ?? Date.now())
    if (change.audit) record(change.audit, onRollback)
    const gone = events.some((event) => event.type === 'session.deleted')
    note(owned, change.sessionId, gone ? undefined : { ...row, head: row.head + events.length }, onRollback)
    return { kind: 'committed', events }
  }

  return (change: Change, owned: Owned, onRollback: OnRollback): Committed | Conflict | Repeated | OverBudget => {
    const refused = refusal(change, owned)
    if (refused) return refused
    if (!change.events.some((event) => spendingOf(event)?.reserve)) return write(change, owned, onRollback)
    savepoint.run()
    const result = write(change, owned, onRollback)
    if (result.kind === 'over') takeBack.run()
    release.run()
    return result
  }
}

function hashesOf(event: StoredEvent): string[] {
  const whole = event.type === 'tool.result' && event.data.blob !== undefined ? [event.data.blob] : []
  return [...whole, ...filesOf(event).map(({ hash }) => hash)]
}

/** Everything that names what was said or done in a deleted session; its events and rounds are erased by `purge`. */
function forget(db: DatabaseSync, num: number): void {
  for (const table of ['approvals', 'calls', 'inputs']) db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(num)
}
