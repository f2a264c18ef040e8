import type { StoredEvent } from '../contract/event.ts'
import { eventSteps, type ListStore, type LogStore } from '../store/index.ts'

/** The events of the round that `seq` stands in, from its start to `seq`, a step at a time; nothing outside a round. */
export async function* roundSoFar(
  store: LogStore & ListStore,
  sessionId: string,
  seq: number,
): AsyncGenerator<StoredEvent[]> {
  const round = seq === 0 ? undefined : await store.roundAt(sessionId, seq)
  if (round) yield* eventSteps(store, sessionId, { after: round.startSeq - 1, upTo: seq })
}
