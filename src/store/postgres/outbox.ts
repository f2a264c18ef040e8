import { NEW_OUTBOX_COLUMNS, newOutboxValues, OUTBOX_COLUMNS, outboxEventOfRow, type OutboxRow } from '../outbox-row.ts'
import type { OutboxEvent, OutboxStore } from '../outbox.ts'
import type { Base } from './base.ts'
import type { Query } from './database.ts'

/**
 * Stores events with what else a transaction does. Places are given before the end of the transaction, so one may come
 * to be seen after a higher one; readers know that, and nobody waits for others to end.
 */
export async function appendOutbox(query: Query, events: readonly OutboxEvent[] = []): Promise<void> {
  if (events.length > 0) await query('SELECT put_outbox($1)', [outboxJson(events)])
}

/** Events as `put_outbox` takes them. */
export const outboxJson = (events: readonly OutboxEvent[]): string =>
  JSON.stringify(
    events.map((event) => {
      const values = newOutboxValues(event)
      return Object.fromEntries(NEW_OUTBOX_COLUMNS.map((column, i) => [column, values[i]]))
    }),
  )

/** What is told of a user; `type`: only such events. */
export async function eraseOutboxOf(
  query: Query,
  tenant: string,
  userId: string,
  type?: OutboxEvent['type'],
): Promise<void> {
  const values = [tenant, userId, type ?? null]
  await query('DELETE FROM outbox WHERE tenant = $1 AND user_id = $2 AND ($3::text IS NULL OR type = $3)', values)
}

export function outboxStore({ query, withExtras }: Base): OutboxStore {
  return {
    // The event is one of the extras of nothing else.
    addOutbox: (event, more) => withExtras({ ...more, outbox: [event] }, event.at, async () => 'stored' as const),
    async removeOutbox(place) {
      await query('DELETE FROM outbox WHERE place = $1', [place])
    },
    async outbox(after, limit) {
      const rows = await query<OutboxRow>(
        `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE place > $1 ORDER BY place LIMIT $2`,
        [after, limit],
      )
      return rows.map(outboxEventOfRow)
    },
    async forgetOutbox(before, limit) {
      await query(
        'DELETE FROM outbox WHERE place IN (SELECT place FROM outbox WHERE at < $1 ORDER BY at, place LIMIT $2)',
        [before, limit],
      )
    },
  }
}
