import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Facts } from './attack.ts'
import { CANARY, type Place } from './variants.ts'

export interface Host {
  readonly facts: Facts
  /** who got through to this machine so far */
  readonly visitors: readonly string[]
  close(): Promise<void>
}

/** Listens to datagrams at a socket file, which Node cannot: says so, and then what it hears. */
const DATAGRAMS = `use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0); bind(S, pack_sockaddr_un($ARGV[0])); chmod 0777, $ARGV[0];
$| = 1; print "listening"; while (defined recv(S, $x, 9, 0)) { print "heard" }`

/** Doors of this machine that nobody in a sandbox may knock on. */
export async function openHost(place: Place): Promise<Host> {
  const visitors: string[] = []
  const abstractSocket = `segno-${process.pid}-${place.runner.pid}`
  const socket = join(place.outside, 'host.sock')
  const workspaceSocket = join(place.folder, 'daemon.sock')
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
  const unixInside = await listen('unix in the workspace', { path: workspaceSocket })
  chmodSync(workspaceSocket, 0o777)
  const datagrams = spawn('perl', ['-e', DATAGRAMS, join(place.folder, 'datagrams.sock')])
  await once(datagrams.stdout, 'data')
  datagrams.stdout.on('data', () => visitors.push('unix datagram in the workspace'))
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
    abstractSocket,
    hostname: hostname(),
  }
  return {
    facts,
    visitors,
    async close() {
      udp.close()
      datagrams.kill()
      const servers = [tcp, unix, unixInside, abstract]
      const closed = servers.map((server) => once(server, 'close'))
      for (const server of servers) server.close()
      await Promise.all([...closed, once(datagrams, 'close')])
    },
  }
}
