import type { Place } from '../place.ts'
import type { Line } from '../report.ts'
import { W1 } from '../workloads.ts'
import { startClient } from './client.ts'
import { newClients } from './measure.ts'
import { startSegno } from './server.ts'

const CLIENTS = 100
const SAMPLE_MS = 30_000
/** Sessions are given up after this, so that no conversation grows long. */
const SESSION_MS = 5000
/** leaves some of the machine to others, who may be there for as long */
const PAUSE_MS = 250
const NEAR = 1.05

/** Does memory grow under load that goes on? What is alive is looked at every half minute, when no round runs. */
export async function benchSoak(place: Place, minutes: number): Promise<Line> {
  const client = startClient()
  const server = await startSegno(place, 'normal')
  const live: number[] = []
  let rounds = 0
  for (let at = 0; at < minutes * 60_000; at += SAMPLE_MS) {
    const end = performance.now() + SAMPLE_MS
    do {
      const clients = await newClients(client, server, CLIENTS)
      const load = { message: W1.message, ms: SESSION_MS, pauseMs: PAUSE_MS }
      rounds += (await client.load(clients, load)).rounds
    } while (performance.now() < end)
    const usage = await server.usage('collect')
    live.push(usage.live)
    const [alive, resident] = [usage.live, usage.rss].map((bytes) => `${(bytes / 1024).toFixed(0)} KB`)
    console.error(`  ${(at + SAMPLE_MS) / 1000} s, ${rounds} rounds: ${alive} alive, ${resident} resident`)
  }
  client.stop()
  await server.stop()
  const third = Math.max(1, Math.floor(live.length / 3))
  const first = mean(live.slice(0, third))
  const last = mean(live.slice(-third))
  const ratio = last / first
  return {
    name: `alive after ${minutes} min and ${rounds} rounds, last third next to first; ${slope(live)}`,
    segno: inKb(last),
    floor: inKb(first),
    ratio,
    aim: { text: `≤ ${NEAR}×`, reached: ratio <= NEAR },
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const inKb = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`

/** The straight line through the samples that fits best. */
function slope(values: readonly number[]): string {
  const middle = (values.length - 1) / 2
  const height = mean(values)
  let up = 0
  let along = 0
  values.forEach((value, i) => {
    up += (i - middle) * (value - height)
    along += (i - middle) ** 2
  })
  const perMinute = (up / along) * (60_000 / SAMPLE_MS)
  return `${(perMinute / 1024).toFixed(1)} KB/min`
}
