import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Facts } from './attacks.ts'
import { CANARY, type Place } from './variants.ts'

export interface Host {
  readonly facts: Facts
  /** who got through to this machine so far */
  readonly visitors: readonly string[]
  close(): Promise<void>
}

/** Doors of this machine that nobody in a sandbox may knock on. */
export async function openHost(place: Place): Promise<Host> {
  const visitors: string[] = []
  const abstractSocket = `segno-${process.pid}-${place.runner.pid}`
  const socket = join(place.outside, 'host.sock')
  const listen = async (name: string, where: object): Promise<Server> => {
    const server = createServer((connection) => {
      visitors.push(name)
      connection.destroy()
    })
    server.listen(where)
    await once(server, 'listening')
    return server
  }
  const tcp = await listen('tcp', { host: '127.0.0.1', port: 0 })
  const unix = await listen('unix', { path: socket })
  const abstract = await listen('abstract', { path: `\0${abstractSocket}` })
  const udp = createSocket('udp4', () => visitors.push('udp'))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  const facts: Facts = {
    folder: place.folder,
    outside: place.outside,
    home: place.home,
    segnoPid: place.runner.pid,
    canary: CANARY,
    tcpPort: (tcp.address() as { port: number }).port,
    udpPort: udp.address().port,
    socket,
    abstractSocket: `\\0${abstractSocket}`,
    hostname: hostname(),
  }
  return {
    facts,
    visitors,
    async close() {
      udp.close()
      for (const server of [tcp, unix, abstract]) server.close()
      await Promise.all([tcp, unix, abstract].map((server) => once(server, 'close')))
    },
  }
}
