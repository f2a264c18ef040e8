import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'

export interface Patience {
  /** until the provider begins to answer */
  readonly connectMs: number
  /** until the first content */
  readonly firstContentMs: number
  /** between two pieces of content */
  readonly contentGapMs: number
  /** shorter than usual, because the caller wanted it so */
  readonly hurried?: boolean
}

/**
 * Aborts a call without content for too long. Content only notes the time, and the timer checks it when it fires, so
 * that a delta sets no timer.
 */
export function watchSilence(stop: AbortController, patience: Patience) {
  let since = performance.now()
  let waitingFor: 'answer' | 'first' | 'more' = 'answer'
  let reason: string | undefined
  let timer: NodeJS.Timeout | undefined
  let due = Infinity
  let stopped = false
  const allowed = (): number =>
    ({ answer: patience.connectMs, first: patience.firstContentMs, more: patience.contentGapMs })[waitingFor]
  wait()

  /** A timer that fires too early waits on; only one that would fire too late is set again. */
  function wait(): void {
    const end = since + allowed()
    if (end >= due) return
    due = end
    const left = end - performance.now()
    clearTimeout(timer)
    // Reads what has arrived before calling it silence, because a busy process is late for both.
    timer = setTimeout(() => setImmediate(check), Math.max(1, Math.min(left, LONGEST_TIMER_MS)))
  }

  function check(): void {
    if (stopped) return
    due = Infinity
    if (performance.now() < since + allowed()) return wait()
    reason =
      waitingFor === 'answer'
        ? `the provider did not answer within ${allowed()} ms`
        : `the model said nothing for ${allowed()} ms`
    stop.abort(new Error(reason))
  }

  return {
    /** The provider has answered; from now on content is awaited. */
    answered(): void {
      if (waitingFor !== 'answer') return
      waitingFor = 'first'
      wait()
    },
    content(): void {
      since = performance.now()
      if (waitingFor === 'more') return
      waitingFor = 'more'
      wait()
    },
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
    why: (): string | undefined => reason,
  }
}
