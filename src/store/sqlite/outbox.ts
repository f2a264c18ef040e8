import type { DatabaseSync } from 'node:sqlite'
import { NEW_OUTBOX_COLUMNS, newOutboxValues, OUTBOX_COLUMNS, outboxEventOfRow, type OutboxRow } from '../outbox-row.ts'
import type { OutboxEvent, OutboxStore } from '../outbox.ts'
import type { Base } from './base.ts'

export function outboxIn(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO outbox (${NEW_OUTBOX_COLUMNS.join(', ')}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
     WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = ?5 AND deleted = 1) ON CONFLICT (id) DO NOTHING`,
  )
  const eraseOf = db.prepare('DELETE FROM outbox WHERE tenant = ?1 AND user_id = ?2 AND (?3 IS NULL OR type = ?3)')
  return {
    append(events: readonly OutboxEvent[]): void {
      for (const event of events) insert.run(...newOutboxValues(event))
    },
    /** What is told of a user; `type`: only such events. */
    eraseOf: (tenant: string, userId: string, type?: OutboxEvent['type']): void =>
      void eraseOf.run(tenant, userId, type ?? null),
  }
}

export function outboxStore({ db, group, withExtras, reading }: Base): OutboxStore {
  const after = db.prepare(`SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE place > ? ORDER BY place LIMIT ?`)
  const forget = db.prepare(
    'DELETE FROM outbox WHERE place IN (SELECT place FROM outbox WHERE at < ? ORDER BY at, place LIMIT ?)',
  )
  const remove = db.prepare('DELETE FROM outbox WHERE place = ?')
  return {
    // The event is one of the extras of nothing else.
    addOutbox: (event, more) => withExtras({ ...more, outbox: [event] }, event.at, () => 'stored'),
    removeOutbox: (place) => group.run(() => void remove.run(place)),
    outbox: (place, limit) => reading(() => (after.all(place, limit) as unknown as OutboxRow[]).map(outboxEventOfRow)),
    forgetOutbox: (before, limit) => group.run(() => void forget.run(before, limit)),
  }
}
