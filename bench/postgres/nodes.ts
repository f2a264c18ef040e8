import { availableParallelism } from 'node:os'
import type { Client } from '../http/client.ts'
import { inTurns } from '../http/in-turns.ts'
import { newClients } from '../http/measure.ts'
import type { Server } from '../http/server.ts'
import { noLessThan, ofCpu, perSecond, sideBySide } from '../http/side-by-side.ts'
import type { Line } from '../report.ts'
import { W1 } from '../workloads.ts'
import { cpuOfTree } from './cpu-of-tree.ts'

const CLIENTS = 100

/** Two nodes, the database, and the clients with some to spare: with fewer cores they take them from each other. */
const CORES = 6

interface Measured {
  readonly rounds: number
  readonly ms: number
  readonly nodesMs: number
  readonly databaseMs: number
  readonly clientMs: number
}

/** Many clients on one node, and the same spread over two, on one database; `database` is the id of its process. */
export async function benchNodes(
  client: Client,
  nodes: readonly [Server, Server],
  database: number,
  samples: number,
  ms: number,
): Promise<Line[]> {
  const side = (servers: readonly Server[]) => async (): Promise<Measured> => {
    const groups: number[] = []
    for (const server of servers) groups.push(await newClients(client, server, CLIENTS / servers.length))
    const used = async (): Promise<number> => {
      let sum = 0
      for (const server of servers) sum += (await server.usage()).cpuMs
      return sum
    }
    const before = { nodes: await used(), database: cpuOfTree(database) }
    const loaded = await Promise.all(groups.map((group) => client.load(group, { message: W1.message, ms })))
    return {
      rounds: loaded.reduce((sum, one) => sum + one.rounds, 0),
      ms: Math.max(...loaded.map((one) => one.ms)),
      nodesMs: (await used()) - before.nodes,
      databaseMs: cpuOfTree(database) - before.database,
      // The client is one process, and each load tells what all of it used.
      clientMs: Math.max(...loaded.map((one) => one.cpuMs)),
    }
  }
  const [one, two] = await inTurns([side(nodes.slice(0, 1)), side(nodes)], samples, 1)
  sayShares('one node', one)
  sayShares('two nodes', two)
  const rate = (all: readonly Measured[] = []): number[] => all.map((each) => (each.rounds * 1000) / each.ms)
  const perRound = (all: readonly Measured[] = [], of: (each: Measured) => number): number[] =>
    all.map((each) => of(each) / each.rounds)
  const aim = availableParallelism() >= CORES ? noLessThan(1.5) : undefined
  return [
    sideBySide(
      `W1 over HTTP on PostgreSQL, ${CLIENTS} clients: two nodes, next to one`,
      rate(two),
      rate(one),
      perSecond,
      aim,
    ),
    sideBySide(
      'CPU time of the nodes per round: two, next to one',
      perRound(two, (each) => each.nodesMs),
      perRound(one, (each) => each.nodesMs),
      ofCpu,
    ),
    sideBySide(
      'CPU time of the database per round: two, next to one',
      perRound(two, (each) => each.databaseMs),
      perRound(one, (each) => each.databaseMs),
      ofCpu,
    ),
    sideBySide(
      'one node: CPU time of the database, next to that of the node',
      perRound(one, (each) => each.databaseMs),
      perRound(one, (each) => each.nodesMs),
      ofCpu,
    ),
  ]
}

function sayShares(name: string, all: readonly Measured[] = []): void {
  const ms = all.reduce((sum, one) => sum + one.ms, 0)
  const share = (of: (one: Measured) => number): string =>
    `${((all.reduce((sum, one) => sum + of(one), 0) / ms) * 100).toFixed(0)} %`
  const nodes = share((one) => one.nodesMs)
  const database = share((one) => one.databaseMs)
  const client = share((one) => one.clientMs)
  console.error(`  ${name}: of one core, nodes ${nodes}, database ${database}, clients ${client}`)
}
