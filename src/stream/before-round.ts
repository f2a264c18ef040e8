import type { ListStore } from '../store/index.ts'

/** The number after which a round begins, also one that is still queued. */
export async function beforeRound(store: ListStore, sessionId: string, requestId: string): Promise<number> {
  // The head is read first: a round that starts in between begins after it.
  const head = (await store.session(sessionId))?.seq ?? 0
  const known = await store.roundIn(sessionId, requestId)
  return known ? known.startSeq - 1 : head
}
