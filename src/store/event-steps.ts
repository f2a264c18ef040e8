import type { StoredEvent } from '../contract/event.ts'
import { loopStep, STEP } from '../lib/loop-step.ts'
import type { LogStore, Range } from './log.ts'

/** Reads a log in steps and lets other work run between them. */
export async function* eventSteps(
  store: LogStore,
  sessionId: string,
  { after = 0, upTo = Infinity }: Pick<Range, 'after' | 'upTo'> = {},
): AsyncGenerator<StoredEvent[]> {
  for (let last = after; last < upTo;) {
    const limit = Math.min(STEP.limit, upTo - last)
    const { events, isLast } = await store.readSlice(sessionId, last, { ...STEP, limit })
    if (events.length > 0) yield events
    // The session may have been deleted meanwhile.
    last = events.at(-1)?.seq ?? upTo
    if (isLast || last >= upTo) return
    await loopStep()
  }
}
