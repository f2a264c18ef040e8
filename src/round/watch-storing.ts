import { Problem } from '../contract/problem.ts'

/** A server that could not store a message says for this long that it is not ready. */
const FAILING_MS = 5000

/** Knows from what became of messages whether the store can take them. */
export function watchStoring() {
  let failedAt = -Infinity
  return {
    async watch<T>(sending: Promise<T>): Promise<T> {
      try {
        const accepted = await sending
        failedAt = -Infinity
        return accepted
      } catch (error) {
        if (error instanceof Problem && error.code === 'STORE_UNAVAILABLE') failedAt = performance.now()
        throw error
      }
    },
    /** A message could not be stored lately, and none could since. */
    get isFailing(): boolean {
      return performance.now() - failedAt < FAILING_MS
    },
  }
}
