import type { JsonObject } from '../contract/message.ts'
import { cleanText } from './clean-text.ts'
import type { OutboxEvent, StoredOutboxEvent } from './outbox.ts'
import { withoutNulls } from './page.ts'

export interface OutboxRow {
  place: number
  id: string
  type: OutboxEvent['type']
  tenant: string
  userId: string | null
  sessionId: string | null
  at: number
  depth: number | null
  payload: string
}

export const OUTBOX_COLUMNS = `place, id, type, tenant, user_id AS "userId", session_id AS "sessionId", at, depth, payload`

export const outboxEventOfRow = ({ payload, ...row }: OutboxRow): StoredOutboxEvent => ({
  ...withoutNulls(row),
  payload: JSON.parse(payload) as JsonObject,
})

/** In the order of `newOutboxValues`; the place comes from the table. */
export const NEW_OUTBOX_COLUMNS = ['id', 'type', 'tenant', 'user_id', 'session_id', 'at', 'depth', 'payload'] as const

export function newOutboxValues(event: OutboxEvent): (string | number | null)[] {
  const { id, type, tenant, userId, sessionId, at, depth, payload } = event
  const texts = [id, type, tenant, userId, sessionId].map((text) => (text === undefined ? null : cleanText(text)))
  return [...texts, at, depth ?? null, JSON.stringify(payload)]
}
