import { forgetUnshown, isOver, type CutLimits } from '../context/index.ts'
import type { StoredEvent } from '../contract/event.ts'
import { loopStep } from '../lib/loop-step.ts'
import {
  emptySession,
  evolveHistory,
  fold,
  fromSnapshot,
  messageChars,
  SNAPSHOT_VERSION,
  type SessionState,
} from '../session/index.ts'
import { eventSteps, type LogStore } from '../store/index.ts'

/** How many events before a snapshot are read at once. */
const AT_ONCE = 64

export interface ReadState {
  readonly state: SessionState
  /** the number of the snapshot it was read with, 0 without one */
  readonly snapshotAt: number
}

/** The state of a session, now or as of event `upTo`, with only as much of the conversation as a prompt can show. */
export async function readState(
  store: LogStore,
  sessionId: string,
  limits: CutLimits,
  upTo = Infinity,
): Promise<ReadState> {
  const state = await lastSnapshot(store, sessionId, upTo)
  const snapshotAt = state.seq
  const since: StoredEvent[][] = []
  for await (const events of eventSteps(store, sessionId, { after: snapshotAt, upTo })) {
    if (snapshotAt > 0) since.push(events)
    else go(events)
  }
  if (snapshotAt > 0) {
    for (const event of await textsBefore(store, sessionId, state, since, limits)) evolveHistory(state.history, event)
    for (const [at, events] of since.entries()) {
      if (at > 0) await loopStep()
      go(events)
    }
  }
  return { state, snapshotAt }

  function go(events: readonly StoredEvent[]): void {
    fold(events, state)
    forgetUnshown(state.history, limits)
  }
}

/** The last snapshot that is not damaged. */
async function lastSnapshot(store: LogStore, sessionId: string, upTo: number): Promise<SessionState> {
  for (;;) {
    const found = await store.snapshot(sessionId, SNAPSHOT_VERSION, upTo)
    const state = found ? fromSnapshot(found) : emptySession()
    if (state) return state
    upTo = (found?.seq ?? 0) - 1
  }
}

/** The events before the snapshot that a prompt can show besides those since, read backwards until they are too much. */
async function textsBefore(
  store: LogStore,
  sessionId: string,
  { seq, history: { after, summaryAt } }: SessionState,
  since: readonly StoredEvent[][],
  limits: CutLimits,
): Promise<StoredEvent[]> {
  let messages = 0
  let chars = 0
  /** The index of the exchange that is too much, -1 if there is none. */
  function enough(events: readonly StoredEvent[]): number {
    return events.findLastIndex((event) => {
      const size = messageChars(event)
      if (size === undefined) return event.type === 'context.cleared'
      messages += 1
      chars += size
      return event.type === 'message.user' && isOver(messages, chars, limits)
    })
  }

  const summary = summaryAt === null ? [] : await store.read(sessionId, { after: summaryAt - 1, upTo: summaryAt })
  let texts: StoredEvent[] = []
  for (let before = since.toReversed().some((events) => enough(events) >= 0) ? after : seq; before > after;) {
    const from = Math.max(after, before - AT_ONCE)
    const events = (await Array.fromAsync(eventSteps(store, sessionId, { after: from, upTo: before }))).flat()
    const start = enough(events)
    texts = [...events.slice(Math.max(0, start)), ...texts]
    if (start >= 0) break
    before = from
    await loopStep()
  }
  return [...summary, ...texts]
}
