import type { Clock } from '../lib/clock.ts'
import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'

interface Watched {
  readonly controller: AbortController
  timer: NodeJS.Timeout | undefined
}

/** Abort signals of keys in use, which fire when the key is revoked or expires. */
export function createKeySignals(clock: Clock) {
  const watched = new Map<string, Watched>()

  function end(id: string): void {
    const one = watched.get(id)
    if (!one) return
    watched.delete(id)
    clearTimeout(one.timer)
    one.controller.abort()
  }

  function expire(id: string, one: Watched, expiresAt: number): void {
    const left = expiresAt - clock.now()
    if (left <= 0) return end(id)
    one.timer = setTimeout(() => expire(id, one, expiresAt), Math.min(left, LONGEST_TIMER_MS))
    one.timer.unref()
  }

  return {
    has: (id: string): boolean => watched.has(id),
    ids: (): string[] => [...watched.keys()],
    signal(id: string, expiresAt: number | null): AbortSignal {
      let one = watched.get(id)
      if (!one) {
        watched.set(id, (one = { controller: new AbortController(), timer: undefined }))
        if (expiresAt !== null) expire(id, one, expiresAt)
      }
      return one.controller.signal
    },
    end,
    close(): void {
      for (const { timer } of watched.values()) clearTimeout(timer)
      watched.clear()
    },
  }
}
