import { isStoreAway } from '../contract/problem.ts'
import { delay } from '../lib/delay.ts'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 2000

/** Stores what only this process knows, as soon as the store can take it; gives up when Segno stops. */
export async function untilStored<T>(store: () => Promise<T>, isLeaving: () => boolean): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await store()
    } catch (error) {
      if (!isStoreAway(error)) throw error
      if (!isLeaving()) await delay(waitMs)
      if (isLeaving()) throw error
    }
  }
}
