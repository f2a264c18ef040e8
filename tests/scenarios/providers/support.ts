import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ProviderInput } from '../../../src/contract/provider.ts'
import { asking, type Asking } from '../http/asking.ts'

export const KEY = 'sk-house-4f9c1b77e2d84a06'

export interface House {
  readonly url: string
  readonly origin: string
  /** what was asked, newest last */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  /** Answers the list of models instead. */
  lists: (response: ServerResponse) => unknown
}

const MODELS = JSON.stringify({ data: [{ id: 'llama' }, { id: 'qwen' }] })
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'llama' }
const said = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`

/** A server of one's own with the API of Chat Completions, closed when the test ends. */
export async function house(): Promise<House> {
  const requests: House['requests'] = []
  const it = {
    requests,
    lists: (response: ServerResponse): unknown =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(MODELS),
  }
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    request.resume()
    if (request.url?.startsWith('/v1/models')) return void it.lists(response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(said({ role: 'assistant', content: 'Hello from the house.' }))
    response.end(`${said({}, { finish_reason: 'stop' })}data: [DONE]\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(it, { origin, url: `${origin}/v1` })
}

/** Segno beside such a server, whose private address the operator allows. */
export async function withHouse(env: Record<string, string> = {}): Promise<{ it: Asking; at: House }> {
  const at = await house()
  return { at, it: await asking({ env: { SEGNO_PRIVATE_ORIGINS: at.origin, ...env } }) }
}

export const compatible = (baseURL: string, more: Partial<ProviderInput> = {}): ProviderInput => ({
  kind: 'openai-compatible',
  baseURL,
  key: KEY,
  ...more,
})
