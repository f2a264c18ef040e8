import { setTimeout as wait } from 'node:timers/promises'
import type { Line } from '../report.ts'
import { W1 } from '../workloads.ts'
import type { Client } from './client.ts'
import { inTurns } from './in-turns.ts'
import { cpuPerRound, measure, newClients, rates, sayShares, type Measured } from './measure.ts'
import { LONG, MUCH } from './script.ts'
import type { Server } from './server.ts'
import { noLessThan, ofCpu, perSecond, sideBySide } from './side-by-side.ts'

const CLIENTS = 50
const READERS = 20
/** long answers in the session before anybody follows it: more than the buffers between server and reader hold */
const BEFORE = 16
const LOOK_MS = 100
const QUIET_MS = 10

/** Do readers that connect and never read slow others down? The floor is the same load without them. */
export async function benchSlowReaders(client: Client, server: Server, samples: number, ms: number): Promise<Line[]> {
  const [busy = ''] = await server.sessions(1)
  for (let i = 0; i < BEFORE; i++) await client.load(await client.connect(server, [busy]), { message: MUCH, ms: 0 })

  const side = (readers: number) => async (): Promise<Measured> => {
    await client.follow(server, { sessions: Array.from({ length: readers }, () => busy), reads: false })
    await quiet(server)
    const clients = await newClients(client, server, CLIENTS)
    const writer = client.load(await client.connect(server, [busy]), { message: LONG, ms })
    const measured = await measure(client, server, clients, { message: W1.message, ms })
    await writer
    await client.letGo()
    return measured
  }
  const [slow, without] = await inTurns([side(READERS), side(0)], samples)
  sayShares(`with ${READERS} slow readers`, slow)
  sayShares('without', without)
  const name = `${CLIENTS} clients beside ${READERS} readers that never read, next to none`
  return [
    sideBySide(name, rates(slow), rates(without), perSecond, noLessThan(0.95)),
    sideBySide('CPU time of the server per round of it', cpuPerRound(slow), cpuPerRound(without), ofCpu),
  ]
}

/** What the readers were sent before they stopped reading is behind the server. */
async function quiet(server: Server): Promise<void> {
  for (let before = -Infinity, { cpuMs } = await server.usage(); cpuMs - before > QUIET_MS;) {
    await wait(LOOK_MS)
    before = cpuMs
    cpuMs = (await server.usage()).cpuMs
  }
}
