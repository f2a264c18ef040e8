import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, createServer, type Server as TcpServer, type Socket } from 'node:net'
import type { EgressOptions } from '../../../src/egress/index.ts'
import { CERTIFICATE, KEY } from './certificate.ts'

/**
 * A small internet on loopback. Names and their addresses are what the test says; a registered address is the test's
 * server, and a connection to any other lands on the witness. Egress itself runs as it is.
 */
export interface Internet {
  readonly ports: Required<Pick<EgressOptions, 'resolve' | 'dial' | 'own'>>
  /** the answers of the resolver for a name, one list for each time it is asked; the last one stays */
  name(host: string, ...answers: readonly (readonly string[])[]): void
  /** this address is a host of the public */
  host(...addresses: readonly string[]): void
  /** who was connected to, in order */
  readonly dialled: string[]
  /** what was resolved, in order */
  readonly resolved: string[]
  readonly witness: Witness
  close(): Promise<void>
}

export async function createInternet(listener: RequestListener): Promise<Internet> {
  const plain = await listening(createHttp({ maxHeaderSize: 1024 * 1024 }, listener))
  const secure = await listening(createHttps({ key: KEY, cert: CERTIFICATE }, listener))
  const witness = await createWitness('127.0.0.1')
  const names = new Map<string, (readonly string[])[]>()
  const hosts = new Set<string>()
  const dialled: string[] = []
  const resolved: string[] = []
  return {
    dialled,
    resolved,
    witness,
    name: (host, ...answers) => void names.set(host, [...answers]),
    host: (...addresses) => {
      for (const address of addresses) hosts.add(address)
    },
    ports: {
      own: () => [],
      resolve: (host) => {
        resolved.push(host)
        const answers = names.get(host)
        const answer = (answers?.length ?? 0) > 1 ? answers?.shift() : answers?.[0]
        return answer === undefined
          ? Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }))
          : Promise.resolve(answer)
      },
      dial: ({ address, port }) => {
        dialled.push(address)
        if (!hosts.has(address)) return connect({ host: '127.0.0.1', port: witness.port })
        return connect({ host: '127.0.0.1', port: portOf(port === 443 ? secure : plain) })
      },
    },
    close: async () => {
      await Promise.all([plain, secure].map(closed))
      await witness.close()
    },
  }
}

/** Listens where nobody may come, and counts who came. */
export interface Witness {
  readonly port: number
  readonly visits: number
  close(): Promise<void>
}

export async function createWitness(host: string): Promise<Witness> {
  let visits = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    visits += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret')
  })
  await listening(server, host)
  return {
    port: portOf(server),
    get visits() {
      return visits
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listening<S extends TcpServer>(server: S, host = '127.0.0.1'): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(0, host, resolve)
  await promise
  return server
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port
