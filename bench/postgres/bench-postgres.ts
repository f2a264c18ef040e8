import { Client } from 'pg'
import { startPostgres } from '../../tests/support/postgres/start-postgres.ts'
import { startClient } from '../http/client.ts'
import { startServe, type Server } from '../http/server.ts'
import type { Place } from '../place.ts'
import type { Line } from '../report.ts'
import { benchFollowersElsewhere } from './followers.ts'
import { benchNodes } from './nodes.ts'
import { benchPostgresRound } from './rounds.ts'
import { freePort } from '../../tests/support/free-port.ts'

/** Segno on a PostgreSQL of this machine that waits for the disk. */
export async function benchPostgres(place: Place, quick: boolean): Promise<Line[]> {
  const server = await startPostgres({ fsync: true })
  const client = startClient()
  try {
    const rounds = await benchPostgresRound(place, await newDatabase(server.url, 'rounds'), quick ? 50 : 300)
    const url = await newDatabase(server.url, 'nodes')
    const nodes = [await startNode(place, url), await startNode(place, url)] as const
    const lines = [
      rounds,
      ...(await benchNodes(client, nodes, server.pid, quick ? 2 : 7, quick ? 1500 : 4000)),
      ...(await benchFollowersElsewhere(...nodes, quick ? 3 : 15)),
    ]
    for (const node of nodes) await node.stop()
    return lines
  } finally {
    client.stop()
    await server.stop()
  }
}

async function startNode(place: Place, url: string): Promise<Server> {
  const port = `${await freePort()}`
  return startServe(place.folder('node'), {
    SEGNO_PORT: port,
    SEGNO_NODE_URL: `http://127.0.0.1:${port}`,
    SEGNO_CLUSTER_SECRET: 'the same on both of them',
    SEGNO_DATABASE_URL: url,
  })
}

async function newDatabase(server: string, name: string): Promise<string> {
  const client = new Client(server)
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}
