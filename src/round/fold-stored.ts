import { emptySession, fold, type SessionState } from '../session/index.ts'
import { eventSteps, type Store } from '../store/index.ts'

/** What the log of a session says it is. */
export async function foldStored(store: Store, sessionId: string): Promise<SessionState> {
  const state = emptySession()
  for await (const events of eventSteps(store, sessionId)) fold(events, state)
  return state
}
