import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

export interface WorkReceiver {
  readonly origin: string
  /** All requests so far, the oldest first. */
  readonly received: readonly Received[]
  /** What is answered at a path from now on; at all others it is 200 with `{"file": "a.small.png"}`. */
  answer(path: string, status: number, body?: object): void
}

/** The other side of workflows and webhooks: at `/later` it takes work and reports nothing by itself. */
export async function workReceiver(): Promise<WorkReceiver> {
  const answers = new Map<string, { readonly status: number; readonly body?: object | undefined }>([
    ['/later', { status: 202 }],
  ])
  const received: Received[] = []
  const server = createServer((request, response) => void take(request, response))

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, body: JSON.parse(text) })
    const { status, body } = answers.get(path) ?? { status: 200, body: { file: 'a.small.png' } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (path, status, body) => void answers.set(path, { status, body }),
  }
}
