import { createClient } from '../../../src/client/index.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { keyState } from './key.ts'

/** The server that served this page. */
export const client = createClient({
  key: () => keyState.get().key,
  async fetch(url, init) {
    const { key } = keyState.get()
    const response = await fetch(url, init)
    if (response.status === 401)
      keyState.set({ ...keyState.get(), wanted: key === '' ? 'KEY_REQUIRED' : 'KEY_INVALID' })
    return response
  },
})

/** What a person is told of something that went wrong. */
export function wordsOf(error: unknown): string {
  return error instanceof Problem ? error.message : 'Something went wrong in this page. Loading it again may help.'
}
