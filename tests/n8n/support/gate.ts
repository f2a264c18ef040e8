import { once } from 'node:events'
import {
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** How a request is treated: not passed on at all, or passed on without giving back the answer. */
type Treatment = 'keep back' | 'hold the answer'

/** A request that went to n8n, as often as it came. */
export interface Passed {
  readonly path: string
  readonly key: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** of the answer, missing while there is none */
  status?: number
  /** n8n was not there, or broke off */
  lost?: 'refused' | 'broken off'
  answer?: string
}

/** The way from Segno to n8n, where a request can be caught at a moment of one's choice. */
export interface Gate {
  readonly url: string
  readonly passed: readonly Passed[]
  /** Treats the next request like this; resolves when it is there, and passed on and answered if it is to be. */
  catchNext(how: Treatment): Promise<Caught>
  close(): Promise<void>
}

interface Caught {
  readonly key: string
  /** Breaks the connection to whoever still waits for the answer. */
  drop(): void
}

interface Awaited {
  readonly how: Treatment
  readonly caught: PromiseWithResolvers<Caught>
}

export async function openGate(to: { readonly port: number }): Promise<Gate> {
  const passed: Passed[] = []
  let awaited: Awaited | undefined

  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const key = String(request.headers['idempotency-key'] ?? '')
      const next = key === '' ? undefined : awaited
      if (next) awaited = undefined
      const caught: Caught = { key, drop: () => void response.destroy() }
      if (next?.how === 'keep back') return next.caught.resolve(caught)
      const one: Passed = { path: request.url ?? '', key, headers: request.headers, body }
      if (key !== '') passed.push(one)
      const answer = await passOn(to.port, request.method ?? 'GET', one)
      if (typeof answer === 'string') {
        one.lost = answer
        return void response.destroy()
      }
      one.status = answer.status
      one.answer = answer.body.toString('utf8')
      if (next) return next.caught.resolve(caught)
      giveBack(response, answer)
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    catchNext(how) {
      awaited = { how, caught: Promise.withResolvers<Caught>() }
      return awaited.caught.promise
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Whoever asked sees no difference between an n8n that is not there and one that breaks off. */
async function passOn(
  port: number,
  method: string,
  { path, headers, body }: Passed,
): Promise<Answer | 'refused' | 'broken off'> {
  const request = send({ host: '127.0.0.1', port, method, path, headers, agent: false })
  request.end(body)
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 500, headers: response.headers, body: await buffer(response) }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'refused' : 'broken off'
  }
}

function giveBack(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers
  response.writeHead(status, { ...rest, 'content-length': body.length })
  response.end(body)
}
