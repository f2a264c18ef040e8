import type { Place } from '../place.ts'
import type { Line } from '../report.ts'
import { W1 } from '../workloads.ts'
import { startClient } from './client.ts'
import { inTurns } from './in-turns.ts'
import { measure, sayShares, type Measured } from './noise.ts'
import { startFloor, startSegno, type Server } from './server.ts'
import { noLessThan, perSecond, sideBySide } from './side-by-side.ts'

const CLIENTS = 100

/** Rounds per second of many clients at once, and what waiting for the disk costs them. */
export async function benchRates(place: Place, samples: number, ms: number): Promise<Line[]> {
  const client = startClient()
  const servers = [await startSegno(place, 'normal'), await startSegno(place, 'full'), await startFloor(place)]
  const side = (server: Server) => async (): Promise<Measured> => {
    const sessions = await client.freshSessions(server, CLIENTS)
    return measure(client, server, { sessions, message: W1.message, ms })
  }
  const [normal, full, floor] = await inTurns(servers.map(side), samples)
  sayShares('Segno NORMAL', normal)
  sayShares('Segno FULL', full)
  sayShares('floor', floor)
  client.stop()
  await Promise.all(servers.map((server) => server.stop()))
  const cpu = (measured: readonly Measured[] = []): number[] => measured.map((one) => one.serverMs / one.rounds)
  return [
    sideBySide(`W1 over HTTP, ${CLIENTS} clients`, rates(normal), rates(floor), perSecond, noLessThan(0.6)),
    // Says the same where the server has a core for itself, and is steadier where it has not.
    sideBySide('CPU time of the server per round of it', cpu(normal), cpu(floor), (ms) => `${ms.toFixed(2)} ms`),
    sideBySide(
      `W1 over HTTP, ${CLIENTS} clients, FULL next to NORMAL`,
      rates(full),
      rates(normal),
      perSecond,
      noLessThan(0.9),
    ),
  ]
}

const rates = (measured: readonly Measured[] = []): number[] => measured.map(({ rounds, ms }) => (rounds * 1000) / ms)
