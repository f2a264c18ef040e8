import type { StoredEvent } from '../contract/event.ts'
import { loopStep, STEP } from '../lib/loop-step.ts'
import type { Range } from './log.ts'
import type { LogStore } from './log.ts'

/** Events of a log in order, a step at a time with everything else in between: a long log keeps nobody waiting. */
export async function* eventSteps(
  store: LogStore,
  sessionId: string,
  { after = 0, upTo = Infinity }: Pick<Range, 'after' | 'upTo'> = {},
): AsyncGenerator<StoredEvent[]> {
  for (let last = after; last < upTo;) {
    const limit = Math.min(STEP.limit, upTo - last)
    const { events, isLast } = await store.readSlice(sessionId, last, { ...STEP, limit })
    if (events.length > 0) yield events
    // The session may be deleted meanwhile: then there is nothing more.
    last = events.at(-1)?.seq ?? upTo
    if (isLast || last >= upTo) return
    await loopStep()
  }
}
