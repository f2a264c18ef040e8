import type { StoredEvent } from '../contract/event.ts'

/** A `round.started` that has `origin`: whoever does not know it takes the words of a hook for its creator's. */
export const WITH_ORIGIN = 'round.started with origin'

/** The schema version that introduced an event type; it is stored only while every living node knows that version. */
export type KnownSince = Readonly<Record<string, number>>
export const KNOWN_SINCE: KnownSince = { 'model.asked': 2, 'model.answered': 2, [WITH_ORIGIN]: 7 }

/** The version a node must know to own a session with these events. */
export function requiredVersion(events: readonly StoredEvent[], knownSince: KnownSince = KNOWN_SINCE): number {
  return events.reduce((needs, event) => Math.max(needs, knownSince[nameOf(event)] ?? 0), 0)
}

const nameOf = ({ type, data }: StoredEvent): string => (type === 'round.started' && data.origin ? WITH_ORIGIN : type)
