import { wordsOf } from '../api/client.ts'
import { createStore } from '../state/store.ts'

/** The last error, until the user closes it. */
export const trouble = createStore('')

/** Does something and shows an error in the status line; resolves to whether it worked. */
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
