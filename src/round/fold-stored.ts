import type { StoredEvent } from '../contract/event.ts'
import { emptySession, fold, type SessionState } from '../session/index.ts'
import { eventSteps, type LogStore } from '../store/index.ts'

/** What the log of a session says it is. */
export async function foldStored(store: LogStore, sessionId: string): Promise<SessionState> {
  const state = emptySession()
  for await (const events of eventSteps(store, sessionId)) fold(events, state)
  return state
}

/** What it said when this event, by number or id, was its last; nothing where no event has that id. */
export async function foldStoredUpTo(
  store: LogStore,
  sessionId: string,
  last: number | string,
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

/** The event with this id. Ids grow with their numbers, so it is looked up; where a clock was set back it is searched for. */
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

/** The first stored event that is meant. */
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
