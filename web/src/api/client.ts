import { createClient, type Client } from '../../../src/client/index.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { keyState } from './key.ts'

type Send = (url: string, init: RequestInit) => Promise<Response>

/** The server that served this page, asked in this way. */
export function clientOver(send: Send): Client {
  return createClient({
    key: () => keyState.get().key,
    async fetch(url, init) {
      const { key } = keyState.get()
      const response = await send(url, init)
      if (response.status === 401)
        keyState.set({ ...keyState.get(), wanted: key === '' ? 'KEY_REQUIRED' : 'KEY_INVALID' })
      return response
    },
  })
}

export const client = clientOver((url, init) => fetch(url, init))

/** What a person is told of something that went wrong. */
export function wordsOf(error: unknown): string {
  return error instanceof Problem ? error.message : 'Something went wrong in this page. Loading it again may help.'
}
