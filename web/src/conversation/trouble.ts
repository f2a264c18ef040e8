import { wordsOf } from '../api/problem.ts'
import { createStore } from '../state/store.ts'

/** The last thing that did not work, until somebody has read it. */
export const trouble = createStore('')

/** Does something for the user of this page and tells when it did not work. True: it did. */
export async function attempt(doing: Promise<unknown>): Promise<boolean> {
  try {
    await doing
    trouble.set('')
    return true
  } catch (error) {
    trouble.set(wordsOf(error))
    return false
  }
}
