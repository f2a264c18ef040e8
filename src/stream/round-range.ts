import type { StoredEvent } from '../contract/event.ts'
import { eventSteps, type ListStore, type LogStore } from '../store/index.ts'

/** The number of the event before a round, even if the round is still queued. */
export async function beforeRound(store: ListStore, sessionId: string, requestId: string): Promise<number> {
  // The head is read first, because the round may start in between.
  const head = (await store.session(sessionId))?.seq ?? 0
  const known = await store.roundIn(sessionId, requestId)
  return known ? known.startSeq - 1 : head
}

/** The events of the round around `seq`, from its start up to `seq`; none outside a round. */
export async function* roundSoFar(
  store: LogStore & ListStore,
  sessionId: string,
  seq: number,
): AsyncGenerator<StoredEvent[]> {
  const round = seq === 0 ? undefined : await store.roundAt(sessionId, seq)
  if (round) yield* eventSteps(store, sessionId, { after: round.startSeq - 1, upTo: seq })
}

/** Whether a reader with the log up to `seq` has the end of the round, and would wait for it for ever. */
export async function hasAll(store: ListStore, sessionId: string, requestId: string, seq: number): Promise<boolean> {
  const { endSeq = Infinity } = (await store.roundIn(sessionId, requestId)) ?? {}
  return endSeq <= seq
}
