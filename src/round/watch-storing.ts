import { isStoreAway } from '../contract/problem.ts'

/** How long a server is not ready after it could not store a message. */
const FAILING_MS = 5000

/** Watches whether messages can be stored. */
export function watchStoring() {
  let failedAt = -Infinity
  return {
    async watch<T>(sending: Promise<T>): Promise<T> {
      try {
        const accepted = await sending
        failedAt = -Infinity
        return accepted
      } catch (error) {
        if (isStoreAway(error)) failedAt = performance.now()
        throw error
      }
    },
    /** The last message could not be stored, a short time ago. */
    get isFailing(): boolean {
      return performance.now() - failedAt < FAILING_MS
    },
  }
}
