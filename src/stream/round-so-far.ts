import type { StoredEvent } from '../contract/event.ts'
import { loopStep } from '../lib/loop-step.ts'
import type { Store } from '../store/index.ts'
import { STEP } from './step.ts'

/** The events of the round that `seq` stands in, from its start to `seq`, a step at a time; nothing outside a round. */
export async function* roundSoFar(store: Store, sessionId: string, seq: number): AsyncGenerator<StoredEvent[]> {
  const round = seq === 0 ? undefined : await store.roundAt(sessionId, seq)
  for (let after = round ? round.startSeq - 1 : seq; after < seq;) {
    const { events } = await store.readSlice(sessionId, after, { ...STEP, limit: Math.min(STEP.limit, seq - after) })
    const last = events.at(-1)
    // Deleted meanwhile: then there is nothing more.
    if (!last) return
    yield events
    after = last.seq
    if (after < seq) await loopStep()
  }
}
