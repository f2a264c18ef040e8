import type { StoredEvent } from '../contract/event.ts'
import type { RoundView } from '../contract/views.ts'
import { emptySession, fold, type SessionState } from '../session/index.ts'
import { eventSteps, type LogStore } from '../store/index.ts'

/** The state of a session up to an event, given by its number or id; undefined if no event has that id. */
export async function foldStored(
  store: LogStore,
  sessionId: string,
  last: number | string = Infinity,
): Promise<SessionState | undefined> {
  const state = emptySession()
  const isEnd = ({ id, seq }: StoredEvent): boolean => (typeof last === 'number' ? seq > last : id === last)
  for await (const events of eventSteps(store, sessionId)) {
    const at = events.findIndex(isEnd)
    if (at >= 0) return fold(events.slice(0, typeof last === 'number' ? at : at + 1), state)
    fold(events, state)
  }
  return typeof last === 'number' ? state : undefined
}

/** Ids grow with their numbers, so a binary search finds them, unless the clock was set back: then all events are read. */
export async function findById(
  store: LogStore,
  sessionId: string,
  id: string,
  last: number,
): Promise<StoredEvent | undefined> {
  for (let low = 1, high = last; low <= high;) {
    const middle = Math.floor((low + high) / 2)
    const [event] = await store.read(sessionId, { after: middle - 1, limit: 1 })
    if (!event || event.id === id) return event
    if (event.id < id) low = middle + 1
    else high = middle - 1
  }
  return findStored(store, sessionId, (event) => event.id === id)
}

export async function findStored(
  store: LogStore,
  sessionId: string,
  isMeant: (event: StoredEvent) => boolean,
): Promise<StoredEvent | undefined> {
  for await (const events of eventSteps(store, sessionId)) {
    const found = events.find(isMeant)
    if (found) return found
  }
  return undefined
}

/** The events of a round; none while it is queued. */
export async function roundEvents(store: LogStore, round: RoundView): Promise<StoredEvent[]> {
  if (round.state === 'queued') return []
  const range = { after: round.startSeq - 1, ...(round.endSeq !== undefined && { upTo: round.endSeq }) }
  return (await store.read(round.sessionId, range)).filter((event) => event.requestId === round.requestId)
}
