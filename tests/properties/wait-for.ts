import { setImmediate as nextLoop } from 'node:timers/promises'
import { vi } from 'vitest'
import type { Life } from './life.ts'
import { asked } from './property-store.ts'

/** Empty rounds of the event loop after which only a timer can make anything happen. */
const QUIET = 4
const MOST_EVENTS = 1500

/** Waits for something a process does; false if it dies first. Faked time goes on only when nothing else does. */
export async function waitFor(what: Promise<unknown>, life: Life): Promise<boolean> {
  const { stage } = life
  const over = { done: false }
  const outcome = Promise.race([what.then(() => true), life.died.then(() => false)]).finally(() => (over.done = true))
  // Heard below; until then it must not count as unhandled.
  outcome.catch(() => {})
  for (let quiet = 0, seen = stage.activity; !over.done; quiet += 1) {
    await nextLoop()
    if (stage.events > MOST_EVENTS) throw new Error('the rounds of this history do not come to an end')
    if (stage.activity !== seen || asked.now > 0) quiet = 0
    seen = stage.activity
    if (quiet < QUIET || over.done) continue
    if (vi.getTimerCount() === 0) throw new Error('nothing can happen any more, and somebody still waits')
    vi.advanceTimersToNextTimer()
    quiet = 0
  }
  return outcome
}
