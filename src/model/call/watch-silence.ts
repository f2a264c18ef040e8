import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'

export interface Patience {
  /** until the provider begins to answer */
  readonly connectMs: number
  /** until the first piece of content */
  readonly firstContentMs: number
  /** between two pieces of content */
  readonly contentGapMs: number
  /** less than is usual here, because somebody wanted it so */
  readonly hurried?: boolean
}

/**
 * Aborts a call that says nothing for too long; what keeps a connection alive is nothing said. Who talks may go on: the
 * time of the round ends that. Content only notes the time: the timer looks at the note when it fires, so a delta costs no timer.
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

  /** A timer that fires too early looks and waits on; only one that would fire too late is set anew. */
  function wait(): void {
    const end = since + allowed()
    if (end >= due) return
    due = end
    const left = end - performance.now()
    clearTimeout(timer)
    // What has arrived is read before it is called silence: a busy process comes late to both.
    timer = setTimeout(() => setImmediate(look), Math.max(1, Math.min(left, LONGEST_TIMER_MS)))
  }

  function look(): void {
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
    /** The provider answers; content is what is waited for now. */
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
    /** Why the call was stopped, if it was. */
    why: (): string | undefined => reason,
  }
}
