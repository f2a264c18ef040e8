import { setImmediate } from 'node:timers/promises'
import type { StoredEvent } from '../contract/event.ts'
import type { Store } from '../store/index.ts'

/** A quarter of a megabyte: what is in memory at a time, and how long others wait. */
const SLICE = { limit: 500, chars: 250_000 }

/** A log from its first event to `upTo`, some events at a time. */
export async function* storedEvents(store: Store, sessionId: string, upTo: number): AsyncGenerator<StoredEvent[]> {
  for (let after = 0; after < upTo;) {
    const { events } = await store.readSlice(sessionId, after, SLICE)
    const last = events.at(-1)
    // Deleted meanwhile: then there is nothing more.
    if (!last) return
    yield events.filter(({ seq }) => seq <= upTo)
    after = last.seq
    await setImmediate()
  }
}
