import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createScriptedModel } from '../../src/model/index.ts'
import { openFloor } from '../floor.ts'
import { script } from './script.ts'

// The least that answers a message over HTTP: reads it, stores what Segno would store, sends each delta as it comes.

const SSE = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

const [, , folder = '.'] = process.argv
const [asked = [], answered = []] = JSON.parse(readFileSync(join(folder, 'commits.json'), 'utf8')) as string[][]
const { commit } = openFloor(folder, 'normal')
const model = createScriptedModel(script)

async function round(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { content } = JSON.parse(await text(request)) as { content: string }
  commit(asked)
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: content }] }],
    providerOptions: { segno: { call: 1 } },
  })
  response.writeHead(200, SSE)
  for await (const part of stream) {
    if (part.type === 'text-delta')
      response.write(`event: delta\ndata: ${JSON.stringify({ kind: 'text', text: part.delta })}\n\n`)
  }
  commit(answered)
  response.end('event: round.ended\ndata: {"finishReason":"complete"}\n\n')
}

const server = createServer((request, response) => {
  if (request.method === 'POST') void round(request, response)
  else response.writeHead(200, SSE).write(': hello\n\n')
})
server.listen(0, '127.0.0.1', () => {
  console.log(`The floor is at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
