import type { StoredEvent } from '../contract/event.ts'

/** The schema version that introduced an event type; it is stored only while every living node knows that version. */
export type KnownSince = Readonly<Record<string, number>>
export const KNOWN_SINCE: KnownSince = { 'model.asked': 2, 'model.answered': 2 }

/** The version a node must know to own a session with these events. */
export function requiredVersion(events: readonly StoredEvent[], knownSince: KnownSince = KNOWN_SINCE): number {
  return events.reduce((needs, { type }) => Math.max(needs, knownSince[type] ?? 0), 0)
}
