import type { Line } from '../report.ts'
import type { Client } from './client.ts'
import { inTurns } from './in-turns.ts'
import { measure, newClients, sayShares, type Measured } from './measure.ts'
import { PACED } from './script.ts'
import type { Server, Servers } from './server.ts'
import { noMoreThan, sideBySide } from './side-by-side.ts'

const CLIENTS = 100
const ROUND_MS = PACED.deltas * PACED.everyMs

/** Many clients at the speed of a model: what a delta costs the server, and how long the first one takes. */
export async function benchPaced(client: Client, servers: Servers, samples: number, ms: number): Promise<Line[]> {
  const load = { message: PACED.message, ms, spreadMs: ROUND_MS }
  const side = (server: Server) => async (): Promise<Measured> =>
    measure(client, server, await newClients(client, server, CLIENTS), load)
  const [segno, floor] = await inTurns([side(servers.normal), side(servers.floor)], samples)
  sayShares('Segno', segno)
  sayShares('floor', floor)
  sayPace('Segno', segno)
  sayPace('floor', floor)
  const limit = noMoreThan(1.3)
  const line = (name: string, of: (one: Measured) => number, show: (value: number) => string): Line =>
    sideBySide(name, segno?.map(of), floor?.map(of), show, limit)
  return [
    line(`CPU time of the server per delta, ${CLIENTS} clients`, cpuPerDelta, inMicroseconds),
    line('first byte after the request, p99', ({ firstByteMs }) => p99(firstByteMs), inMs),
    line('first delta after the request, p99', ({ firstDeltaMs }) => p99(firstDeltaMs), inMs),
  ]
}

const cpuPerDelta = ({ serverMs, rounds }: Measured): number => (serverMs * 1000) / (rounds * PACED.deltas)
const inMicroseconds = (value: number): string => `${value.toFixed(1)} µs`
const inMs = (value: number): string => `${value.toFixed(1)} ms`

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? NaN
}

/** A server that cannot keep up joins deltas, and looks cheaper than it is. */
function sayPace(name: string, measured: readonly Measured[] = []): void {
  const rounds = measured.reduce((sum, one) => sum + one.rounds, 0)
  const frames = measured.reduce((sum, one) => sum + one.frames, 0)
  console.error(`  ${name}: ${rounds} rounds, ${(frames / rounds / PACED.deltas).toFixed(3)} frames per delta`)
}
