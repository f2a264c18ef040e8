import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../../../src/contract/message.ts'

/** A request as it came. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: JsonObject
}

/**
 * What the other side answers, a status (with headers) or JSON; `drop` breaks the connection once the request has come,
 * `endless` takes it and goes on talking.
 */
type Conduct = number | WithHeaders | 'drop' | 'endless' | JsonObject
type WithHeaders = [status: number, headers: Record<string, string>]

const isWithHeaders = (conduct: Conduct): conduct is WithHeaders => Array.isArray(conduct)

/** A real other side on loopback that takes whatever comes; closed when the test ends. */
export async function receiver() {
  const all: Received[] = []
  const waiting = new Set<() => void>()
  let answers: (one: Received) => Conduct | Promise<Conduct> = () => 200
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { headers, url = '/' } = request
      const one = { path: url, headers, body, json: JSON.parse(body) as JsonObject }
      all.push(one)
      for (const look of waiting) look()
      const conduct = await answers(one)
      if (conduct === 'drop') request.socket.destroy()
      else if (conduct === 'endless') response.writeHead(200).write('x'.repeat(100_000))
      else if (isWithHeaders(conduct)) response.writeHead(...conduct).end()
      else if (typeof conduct === 'number') response.writeHead(conduct).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(conduct))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const to = (path: string): Received[] => all.filter((one) => one.path === path)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all,
    /** Those that came to a path. */
    to,
    answer: (how: typeof answers): void => void (answers = how),
    /** The request to a path with this number, as soon as it has come. */
    until: (path: string, times = 1): Promise<Received> =>
      new Promise((resolve) => {
        const look = (): void => {
          const one = to(path)[times - 1]
          if (!one) return
          waiting.delete(look)
          resolve(one)
        }
        waiting.add(look)
        look()
      }),
  }
}
