import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface CompatibleRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** A server with the API of Chat Completions that says one thing, and lists models as it is told to. */
export async function compatibleServer(models: readonly object[] = [{ id: 'llama' }], says = 'It works.') {
  const requests: CompatibleRequest[] = []
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const path = request.url ?? ''
      requests.push({ path, headers: request.headers, body: JSON.parse(text || '{}') as CompatibleRequest['body'] })
      if (path.startsWith('/v1/models')) {
        response.setHeader('content-type', 'application/json')
        return response.end(JSON.stringify({ object: 'list', data: models }))
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const data of [chunk({ role: 'assistant', content: says }, null), chunk({}, 'stop'), USAGE])
        response.write(`data: ${JSON.stringify(data)}\n\n`)
      return response.end('data: [DONE]\n\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

const CHUNK = { id: 'c1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'llama' }
const chunk = (delta: object, finish_reason: string | null) => ({
  ...CHUNK,
  choices: [{ index: 0, delta, finish_reason }],
})
const USAGE = { ...CHUNK, choices: [], usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 } }
