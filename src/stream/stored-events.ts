import type { StoredEvent } from '../contract/event.ts'
import { loopStep } from '../lib/loop-step.ts'
import type { Store } from '../store/index.ts'
import { STEP } from './step.ts'

/** A log from its first event to `upTo`, some events at a time. */
export async function* storedEvents(store: Store, sessionId: string, upTo: number): AsyncGenerator<StoredEvent[]> {
  for (let after = 0; after < upTo;) {
    const { events } = await store.readSlice(sessionId, after, STEP)
    const last = events.at(-1)
    // Deleted meanwhile: then there is nothing more.
    if (!last) return
    yield events.filter(({ seq }) => seq <= upTo)
    after = last.seq
    await loopStep()
  }
}
