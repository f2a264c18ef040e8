import type { EventDraft, StoredEvent } from '../../../src/contract/event.ts'
import { evolve, type SessionState } from '../../../src/session/index.ts'

let made = 0

/** Folds in what pure code says has happened, as the owner of the session would. */
export function append(state: SessionState, drafts: readonly EventDraft[]): StoredEvent[] {
  return drafts.map(({ type, data }) => {
    const requestId = state.round?.requestId ?? null
    const at = state.round?.lastAt ?? 0
    const id = `appended-${(made += 1)}`
    const event = { id, sessionId: '', seq: state.seq + 1, type, v: 1, at, requestId, data } as StoredEvent
    evolve(state, event)
    return event
  })
}
