import { setTimeout as wait } from 'node:timers/promises'
import type { Place } from '../place.ts'
import type { Line } from '../report.ts'
import { W1 } from '../workloads.ts'
import { startClient } from './client.ts'
import { inTurns } from './in-turns.ts'
import { measure, sayShares, type Measured } from './noise.ts'
import { LONG, MUCH } from './script.ts'
import { startSegno, type Server } from './server.ts'
import { noLessThan, perSecond, sideBySide } from './side-by-side.ts'

const CLIENTS = 50
const READERS = 20
/** long answers in the session before anybody follows it: more than the buffers between server and reader hold */
const BEFORE = 16
const LOOK_MS = 100
const QUIET_MS = 10

/** Do readers that connect and never read slow others down? The floor is the same load without them. */
export async function benchSlowReaders(place: Place, samples: number, ms: number): Promise<Line> {
  const client = startClient()
  const server = await startSegno(place, 'normal')
  const [busy = ''] = await server.sessions(1)
  for (let i = 0; i < BEFORE; i++) await client.load(server, { sessions: [busy], message: MUCH, ms: 0 })

  const side = (readers: number) => async (): Promise<Measured> => {
    const sessions = await client.freshSessions(server, CLIENTS)
    await client.follow(server, { sessions: Array.from({ length: readers }, () => busy), reads: false })
    await quiet(server)
    const busyLoad = client.load(server, { sessions: [busy], message: LONG, ms })
    const measured = await measure(client, server, { sessions, message: W1.message, ms })
    await busyLoad
    await client.letGo()
    return measured
  }
  const [slow, without] = await inTurns([side(READERS), side(0)], samples)
  sayShares(`with ${READERS} slow readers`, slow)
  sayShares('without', without)
  client.stop()
  await server.stop()
  const rates = (all: readonly Measured[] = []): number[] => all.map((one) => (one.rounds * 1000) / one.ms)
  const name = `${CLIENTS} clients beside ${READERS} readers that never read, next to none`
  return sideBySide(name, rates(slow), rates(without), perSecond, noLessThan(0.95))
}

/** What the readers were sent before they stopped reading is behind the server. */
async function quiet(server: Server): Promise<void> {
  for (let before = -Infinity, { cpuMs } = await server.usage(); cpuMs - before > QUIET_MS; ) {
    await wait(LOOK_MS)
    before = cpuMs
    cpuMs = (await server.usage()).cpuMs
  }
}
