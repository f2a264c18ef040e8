import { forgetUnshown, isOver, type CutLimits } from '../context/index.ts'
import type { StoredEvent } from '../contract/event.ts'
import { loopStep } from '../lib/loop-step.ts'
import {
  emptySession,
  evolveTexts,
  fold,
  fromSnapshot,
  hiddenUpTo,
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
    await readTexts(store, sessionId, state, since, limits)
    for (const [at, events] of since.entries()) {
      if (at > 0) await loopStep()
      go(events)
    }
  }
  if (state.history.isIncomplete) await readTexts(store, sessionId, state, [], limits)
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

/** Reads the words that a prompt can show of everything up to now, besides those in the events `since`. */
async function readTexts(
  store: LogStore,
  sessionId: string,
  state: SessionState,
  since: readonly StoredEvent[][],
  limits: CutLimits,
): Promise<void> {
  const { history } = state
  history.exchanges = []
  history.results.clear()
  const summary = history.summaries.at(-1)
  if (summary) {
    const [event] = await store.read(sessionId, { after: summary.seq - 1, upTo: summary.seq })
    if (event?.type === 'compact.summary') history.summaries.splice(-1, 1, { ...summary, text: event.data.text })
  }
  const { texts, after } = await textsBefore(store, sessionId, state, since, limits)
  for (const event of texts) evolveTexts(history, event)
  history.forgotten = after
  history.isIncomplete = false
}

/** The events up to now that a prompt can show besides those since, read backwards until they are too much. */
async function textsBefore(
  store: LogStore,
  sessionId: string,
  { seq, history }: SessionState,
  since: readonly StoredEvent[][],
  limits: CutLimits,
): Promise<{ texts: StoredEvent[]; after: number }> {
  const end = hiddenUpTo(history)
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

  let texts: StoredEvent[] = []
  let before = since.toReversed().some((events) => enough(events) >= 0) ? end : seq
  while (before > end) {
    const from = Math.max(end, before - AT_ONCE)
    const events = (await Array.fromAsync(eventSteps(store, sessionId, { after: from, upTo: before }))).flat()
    const start = enough(events)
    texts = [...events.slice(Math.max(0, start)), ...texts]
    before = from
    if (start >= 0) break
    await loopStep()
  }
  // What is left of an exchange that a summary stands for is not shown.
  const summarised = end > 0 ? (history.summaries.at(-1)?.seq ?? 0) : 0
  const first = texts.findIndex((event) => event.type === 'message.user' || event.seq > summarised)
  const shown = first < 0 ? [] : texts.slice(first)
  return { texts: shown, after: (shown[0]?.seq ?? seq + 1) - 1 }
}
