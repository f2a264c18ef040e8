import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'

/**
 * Aborts a call that takes too long, or says nothing for too long. Content only notes the time: the timer looks at
 * the note when it fires, so a delta costs no timer.
 */
export function watchSilence(stop: AbortController, limits: { modelCallMs: number; contentGapMs: number }) {
  const started = performance.now()
  let lastContent = started
  let silent: string | undefined
  let timer = setTimeout(look, Math.min(limits.contentGapMs, limits.modelCallMs, LONGEST_TIMER_MS))

  function look(): void {
    const now = performance.now()
    const gapLeft = lastContent + limits.contentGapMs - now
    const callLeft = started + limits.modelCallMs - now
    if (callLeft <= 0) silent = `the model took longer than ${limits.modelCallMs} ms`
    else if (gapLeft <= 0) silent = `the model said nothing for ${limits.contentGapMs} ms`
    if (silent !== undefined) stop.abort(new Error(silent))
    else timer = setTimeout(look, Math.max(1, Math.min(gapLeft, callLeft, LONGEST_TIMER_MS)))
  }

  return {
    content(): void {
      lastContent = performance.now()
    },
    stop: (): void => clearTimeout(timer),
    /** why the call was stopped, if it was */
    silent: (): string | undefined => silent,
  }
}
