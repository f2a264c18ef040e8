import { serve as listen, type ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { Problem } from '../../contract/problem.ts'
import { createHttpApp } from './http-app.ts'
import type { Services } from './route.ts'

export interface Serving {
  readonly url: string
  /** Takes no new connections; open ones are ended. */
  stop(): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

export async function serve(
  services: Services,
  { host, port, bodyBytes }: { host: string; port: number; bodyBytes: number },
): Promise<Serving> {
  if (!LOOPBACK.has(host)) {
    throw new Problem(
      'CONFIG_ERROR',
      `SEGNO_HOST is "${host}": without keys Segno serves this machine only. Use 127.0.0.1.`,
    )
  }
  const app = createHttpApp(services, bodyBytes)
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = listen({ fetch: app.fetch, hostname: host, port }, () => resolve(starting))
    starting.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code ?? cause.message})`
      reject(new Problem('CONFIG_ERROR', `Port ${port} on ${host} ${why}. Choose another with SEGNO_PORT.`, { cause }))
    })
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
