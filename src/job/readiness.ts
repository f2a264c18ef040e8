import type { Clock } from '../lib/clock.ts'
import type { UpkeepStore } from '../store/index.ts'

const GOOD_FOR_MS = 1000

/** Whether a new message would be accepted; the store is tested by a write at most once a second. */
export function watchReadiness(store: UpkeepStore, clock: Clock, busy: () => string | undefined) {
  let asked: Promise<string | undefined> | undefined
  let askedAt = -Infinity

  async function ask(): Promise<string | undefined> {
    try {
      await store.ping(clock.now())
      return undefined
    } catch {
      return 'store'
    }
  }

  return async (): Promise<{ reason?: string }> => {
    const why = busy()
    if (why !== undefined) return { reason: why }
    const now = performance.now()
    if (!asked || now - askedAt > GOOD_FOR_MS) {
      asked = ask()
      askedAt = now
    }
    const reason = await asked
    return reason === undefined ? {} : { reason }
  }
}
