import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'
import { EgressFailed } from './errors.ts'

export type Lifetime = ReturnType<typeof startLifetime>

/** How long a request and its response may take; it ends with Segno (`closing`) and with the caller's signal. */
export function startLifetime(totalMs: number, closing: AbortSignal, caller?: AbortSignal | null) {
  const controller = new AbortController()
  const signal: AbortSignal = controller.signal
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
    /** Stops all timers and listeners. */
    over,
    /** Aborts the request. */
    fail: (error: unknown): void => {
      over()
      controller.abort(error)
    },
    /** Waits for a part of the work; if that takes longer than `ms`, the whole request is aborted. */
    within: async <T>(ms: number, what: string, work: Promise<T>): Promise<T> => {
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
