import { cpus } from 'node:os'
import type { Client, Load } from './client.ts'
import type { Loaded } from './client-process.ts'
import type { Server } from './server.ts'

export interface Measured extends Loaded {
  /** what the server used for it */
  readonly serverMs: number
  /** what everything else on the machine used meanwhile, in cores; counted in ticks, so it may be a little below 0 */
  readonly others: number
}

/** Clients with new sessions. */
export async function newClients(client: Client, server: Server, count: number): Promise<number> {
  return client.connect(server, await server.sessions(count))
}

/** A load, and what server, client and the rest of the machine used meanwhile. */
export async function measure(client: Client, server: Server, clients: number, load: Load): Promise<Measured> {
  const before = await server.usage()
  const busyBefore = busyMs()
  const start = performance.now()
  const loaded = await client.load(clients, load)
  const busy = busyMs() - busyBefore
  const ms = performance.now() - start
  const serverMs = (await server.usage()).cpuMs - before.cpuMs
  return { ...loaded, serverMs, others: (busy - serverMs - loaded.cpuMs) / ms }
}

export const rates = (all: readonly Measured[] = []): number[] => all.map(({ rounds, ms }) => (rounds * 1000) / ms)

/** Milliseconds of the server's CPU time: says what the rate says where the server has a core, and is steadier. */
export const cpuPerRound = (all: readonly Measured[] = []): number[] => all.map((one) => one.serverMs / one.rounds)

/** Says what else used the machine, and whether the client had time to spare. */
export function sayShares(name: string, measured: readonly Measured[] = []): void {
  const ms = measured.reduce((sum, one) => sum + one.ms, 0)
  const share = (of: (one: Measured) => number): string =>
    `${((measured.reduce((sum, one) => sum + of(one), 0) / ms) * 100).toFixed(0)} %`
  const server = share((one) => one.serverMs)
  const client = share((one) => one.cpuMs)
  const others = share((one) => one.others * one.ms)
  console.error(`  ${name}: of one core, server ${server}, client ${client}, everything else on the machine ${others}`)
}

function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}
