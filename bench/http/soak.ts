import type { Place } from '../place.ts'
import { atMost, type Line } from '../report.ts'
import { W1 } from '../workloads.ts'
import { startClient } from './client.ts'
import { newClients } from './measure.ts'
import { startSegno } from './server.ts'

const CLIENTS = 100
const SAMPLE_MS = 30_000
/** Then a session is given up for a new one, so that what is held of conversations stays the same. */
const ROUNDS_OF_SESSION = 20
/** leaves some of the machine to others, who may be there for as long */
const PAUSE_MS = 250
const NEAR = 1.05

interface Sample {
  readonly minute: number
  readonly live: number
}

/** Does memory grow under load that goes on? What is alive is looked at every half minute, when no round runs. */
export async function benchSoak(place: Place, minutes: number): Promise<Line> {
  const client = startClient()
  const server = await startSegno(place, 'normal')
  const load = { message: W1.message, ms: 0, rounds: ROUNDS_OF_SESSION, pauseMs: PAUSE_MS }
  const samples: Sample[] = []
  const start = performance.now()
  const minute = (): number => (performance.now() - start) / 60_000
  let rounds = 0
  while (minute() < minutes) {
    const end = performance.now() + SAMPLE_MS
    while (performance.now() < end)
      rounds += (await client.load(await newClients(client, server, CLIENTS), load)).rounds
    const { live, rss } = await server.usage('collect')
    samples.push({ minute: minute(), live })
    console.error(`  ${minute().toFixed(1)} min, ${rounds} rounds: ${inKb(live)} alive, ${inKb(rss)} resident`)
  }
  client.stop()
  await server.stop()
  const third = Math.max(1, Math.floor(samples.length / 3))
  const alive = samples.map(({ live }) => live)
  const first = mean(alive.slice(0, third))
  const last = mean(alive.slice(-third))
  const ratio = last / first
  return {
    name: `alive, last third of ${minutes} min next to the first; ${inKb(slope(samples))} more in a minute`,
    segno: inKb(last),
    floor: inKb(first),
    ratio,
    ...atMost(ratio, NEAR),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const inKb = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`

/** The straight line through the samples that fits best. */
function slope(samples: readonly Sample[]): number {
  const middle = mean(samples.map(({ minute }) => minute))
  const height = mean(samples.map(({ live }) => live))
  let up = 0
  let along = 0
  for (const { minute, live } of samples) {
    up += (minute - middle) * (live - height)
    along += (minute - middle) ** 2
  }
  return up / along
}
