import { loopStep } from '../lib/loop-step.ts'
import { emptySession, fold, type SessionState } from '../session/index.ts'
import type { Store } from '../store/index.ts'

/** A few milliseconds. */
const STEP = { limit: 1000, chars: 250_000 }

/** What the log of a session says it is, folded some events at a time: a long log keeps nobody else waiting. */
export async function foldStored(store: Store, sessionId: string): Promise<SessionState> {
  const state = emptySession()
  for (;;) {
    const { events, isLast } = await store.readSlice(sessionId, state.seq, STEP)
    fold(events, state)
    if (isLast) return state
    await loopStep()
  }
}
