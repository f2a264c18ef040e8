import { onTestFinished } from 'vitest'
import {
  draftEvent,
  type EventData,
  type EventType,
  type NewEvent,
  type StoredEvent,
} from '../../src/contract/event.ts'
import { newId } from '../../src/lib/id.ts'
import type { Store } from '../../src/store/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'

/** The log of one session in a real store that lives in memory, and a writer to write in it. */
export interface EventLog {
  readonly store: Store
  readonly sessionId: string
  /** Stores events of round `r`, all in one commit. */
  append(...events: readonly NewEvent[]): Promise<readonly StoredEvent[]>
}

export function fact<T extends EventType>(type: T, data: EventData[T], requestId: string | null = 'r'): NewEvent {
  return { id: newId(), v: 1, at: 0, requestId, ...draftEvent(type, data) }
}

export async function eventLog(): Promise<EventLog> {
  const store = openSqliteStore({ file: ':memory:', durability: 'normal' })
  onTestFinished(() => store.close())
  const sessionId = newId()
  const actor = { id: 'ada', tenant: 'local' }
  let head = 0
  async function append(...events: readonly NewEvent[]): Promise<readonly StoredEvent[]> {
    const create = head === 0 ? { create: {} } : {}
    const expected = head
    head += events.length
    const result = await store.commit({ sessionId, epoch: 1, expected, events, ...create })
    if (result.kind !== 'committed') throw new Error(`not stored: ${JSON.stringify(result)}`)
    return result.events
  }
  await append(fact('session.created', { actor, workspaceId: 'home', title: 'A session' }, null))
  return { store, sessionId, append }
}
