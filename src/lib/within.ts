import { later } from './later.ts'

/** Waits for `work`, but no longer than `ms`; false if it was not over by then. What it throws in time is thrown. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  const done = work.then(() => true)
  // What fails afterwards is heard by nobody.
  done.catch(() => {})
  try {
    return await Promise.race([done, later(ms, over.signal).then(() => false)])
  } finally {
    over.abort()
  }
}
