import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'
import { EgressFailed } from './errors.ts'

/** How long a request and its answer may go on. */
export interface Lifetime {
  readonly signal: AbortSignal
  /** Waits for a part of the work. If that takes longer than `ms`, everything ends; rejects as soon as it does. */
  within<T>(ms: number, what: string, work: Promise<T>): Promise<T>
  /** Ends what is under way. */
  fail(error: unknown): void
  /** Nothing is left to be ended. */
  over(): void
}

/** It ends with `closing`, as everything that Segno sends does, and with the signal of the caller. */
export function startLifetime(totalMs: number, closing: AbortSignal, caller?: AbortSignal | null): Lifetime {
  const controller = new AbortController()
  const { signal } = controller
  const onClosing = (): void => controller.abort(new EgressFailed('closed', 'Segno is closing its connections.'))
  const onCaller = (): void => controller.abort(caller?.reason)
  const cancelTotal = after(totalMs, () => controller.abort(tooSlow('The whole request', totalMs)))
  const over = (): void => {
    cancelTotal()
    closing.removeEventListener('abort', onClosing)
    caller?.removeEventListener('abort', onCaller)
  }
  closing.addEventListener('abort', onClosing)
  caller?.addEventListener('abort', onCaller)
  if (closing.aborted) onClosing()
  else if (caller?.aborted) onCaller()
  return {
    signal,
    over,
    fail: (error) => {
      over()
      controller.abort(error)
    },
    within: async (ms, what, work) => {
      const { promise, reject } = Promise.withResolvers<never>()
      const onAbort = (): void => reject(signal.reason)
      const cancel = after(ms, () => controller.abort(tooSlow(what, ms)))
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      try {
        return await Promise.race([promise, work])
      } finally {
        cancel()
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}

function tooSlow(what: string, ms: number): EgressFailed {
  return new EgressFailed('timeout', `${what} took longer than ${ms / 1000} s.`)
}

/** `Infinity` means never. */
function after(ms: number, act: () => void): () => void {
  if (ms > LONGEST_TIMER_MS) return () => undefined
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
