import { createAdaptorServer } from '@hono/node-server'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Problem } from '../../contract/problem.ts'

export interface Serving {
  readonly url: string
  /** Takes no new connections; open ones are ended when they have their answers, or after a moment. */
  stop(): Promise<void>
}

export interface ServeOptions {
  readonly host: string
  readonly port: number
  /** how long a client may take to send a request */
  readonly requestMs: number
}

/** How long answers that are on their way get when the server stops. */
const LEAVE_MS = 1000

type Fetch = (request: Request, env?: object) => Promise<Response>

export async function serve(fetch: Fetch, { host, port, requestMs }: ServeOptions): Promise<Serving> {
  const server = createAdaptorServer({ fetch, hostname: host }) as Server
  server.requestTimeout = requestMs
  server.headersTimeout = requestMs
  // Nothing is tunnelled here; left alone, such a client would be cut off without a word.
  server.on('connect', (_, socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code ?? cause.message})`
      reject(new Problem('CONFIG_ERROR', `Port ${port} on ${host} ${why}. Choose another with SEGNO_PORT.`, { cause }))
    })
    server.listen(port, host, () => resolve())
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), 10)
        const late = setTimeout(() => server.closeAllConnections(), LEAVE_MS)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(late)
          resolve()
        })
      }),
  }
}
