import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'

export interface Patience {
  /** until the provider begins to answer */
  readonly connectMs: number
  /** from there to the first piece of content */
  readonly firstContentMs: number
  /** between two pieces of content */
  readonly contentGapMs: number
  /** all of it */
  readonly modelCallMs: number
  /** less than is usual here, because somebody wanted it so */
  readonly hurried?: boolean
}

/** Why a call was stopped. `talking`: it said something all the time, only too much. */
export interface Impatience {
  readonly reason: string
  readonly talking: boolean
}

/**
 * Aborts a call that takes too long, or says nothing for too long; what keeps a connection alive is nothing said.
 * Content only notes the time: the timer looks at the note when it fires, so a delta costs no timer.
 */
export function watchSilence(stop: AbortController, patience: Patience) {
  const started = performance.now()
  let since = started
  let waitingFor: 'answer' | 'first' | 'more' = 'answer'
  let impatient: Impatience | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const allowed = (): number =>
    ({ answer: patience.connectMs, first: patience.firstContentMs, more: patience.contentGapMs })[waitingFor]
  wait()

  function wait(): void {
    const now = performance.now()
    const left = Math.min(since + allowed() - now, started + patience.modelCallMs - now)
    clearTimeout(timer)
    // What has arrived is read before it is called silence: a busy process comes late to both.
    timer = setTimeout(() => setImmediate(look), Math.max(1, Math.min(left, LONGEST_TIMER_MS)))
  }

  function look(): void {
    if (stopped) return
    const now = performance.now()
    if (now >= started + patience.modelCallMs)
      impatient = { reason: `the model took longer than ${patience.modelCallMs} ms`, talking: waitingFor === 'more' }
    else if (now >= since + allowed()) impatient = { reason: silence(), talking: false }
    if (impatient) stop.abort(new Error(impatient.reason))
    else wait()
  }

  function silence(): string {
    return waitingFor === 'answer'
      ? `the provider did not answer within ${allowed()} ms`
      : `the model said nothing for ${allowed()} ms`
  }

  return {
    /** The provider answers; content is what is waited for now. */
    answered(): void {
      if (waitingFor !== 'answer') return
      waitingFor = 'first'
      since = performance.now()
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
    why: (): Impatience | undefined => impatient,
  }
}
