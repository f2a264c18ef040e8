import { delay } from './delay.ts'

/** Waits for `work`, but at most `ms`; false if it was not done by then. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  const done = work.then(() => true)
  // Nobody handles a later failure.
  done.catch(() => {})
  try {
    return await Promise.race([done, delay(ms, over.signal).then(() => false)])
  } finally {
    over.abort()
  }
}
