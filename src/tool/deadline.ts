import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'

/** How long a tool that was told to stop may take to do so. */
const GRACE_MS = 250

type StopReason = 'timeout' | 'cancelled'

export type Deadline = ReturnType<typeof startDeadline>

export function startDeadline(ms: number, caller: AbortSignal) {
  const stop = new AbortController()
  const signal: AbortSignal = stop.signal
  const passed = Promise.withResolvers<undefined>()
  let reason: StopReason | undefined
  let grace: NodeJS.Timeout | undefined
  const end = (why: StopReason, message: string): void => {
    if (reason !== undefined) return
    reason = why
    clearTimeout(timer)
    grace = setTimeout(() => passed.resolve(undefined), GRACE_MS)
    stop.abort(new DOMException(message, why === 'timeout' ? 'TimeoutError' : 'AbortError'))
  }
  let timer: NodeJS.Timeout | undefined
  let left = Math.min(ms, LONGEST_TIMER_MS)
  let since = 0
  let held = 0
  const go = (): void => {
    since = performance.now()
    timer = setTimeout(() => end('timeout', 'The time for this tool is up.'), left)
  }
  const hold = (): void => {
    clearTimeout(timer)
    left = Math.max(0, left - (performance.now() - since))
  }
  go()
  const cancel = (): void => end('cancelled', 'The call was cancelled.')
  caller.addEventListener('abort', cancel, { once: true })
  return {
    /** aborts when the time is up, when the caller cancels, or on `halt` */
    signal,
    get reason(): StopReason | undefined {
      return reason
    },
    /** resolves when the time was up or the caller cancelled, and the grace has passed too */
    passed: passed.promise,
    /** Stops the clock during this work, which waits for a person. */
    holding<A, T>(work: (given: A) => Promise<T>): (given: A) => Promise<T> {
      return async (given) => {
        held += 1
        if (held === 1) hold()
        try {
          return await work(given)
        } finally {
          held -= 1
          if (held === 0 && reason === undefined && !signal.aborted) go()
        }
      }
    },
    /** Stops the tool for a reason that is no failure. */
    halt: (): void => stop.abort(new DOMException('The tool has said enough.', 'AbortError')),
    clear: (): void => {
      clearTimeout(timer)
      clearTimeout(grace)
      caller.removeEventListener('abort', cancel)
    },
  }
}
