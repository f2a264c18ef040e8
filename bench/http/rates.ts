import type { Line } from '../report.ts'
import { W1 } from '../workloads.ts'
import type { Client } from './client.ts'
import { inTurns } from './in-turns.ts'
import { cpuPerRound, measure, newClients, rates, sayShares, type Measured } from './measure.ts'
import type { Server, Servers } from './server.ts'
import { noLessThan, ofCpu, perSecond, sideBySide } from './side-by-side.ts'

const CLIENTS = 100

/** Rounds per second of many clients at once, and what waiting for the disk costs them. */
export async function benchRates(client: Client, servers: Servers, samples: number, ms: number): Promise<Line[]> {
  const side = (server: Server) => async (): Promise<Measured> =>
    measure(client, server, await newClients(client, server, CLIENTS), { message: W1.message, ms })
  const sides = [side(servers.normal), side(servers.full), side(servers.floor)]
  const [normal, full, floor] = await inTurns(sides, samples, Math.ceil(samples / 5))
  sayShares('Segno NORMAL', normal)
  sayShares('Segno FULL', full)
  sayShares('floor', floor)
  return [
    sideBySide(`W1 over HTTP, ${CLIENTS} clients`, rates(normal), rates(floor), perSecond, noLessThan(0.6)),
    sideBySide('CPU time of the server per round of it', cpuPerRound(normal), cpuPerRound(floor), ofCpu),
    sideBySide(
      `W1 over HTTP, ${CLIENTS} clients, FULL next to NORMAL`,
      rates(full),
      rates(normal),
      perSecond,
      noLessThan(0.9),
    ),
  ]
}
