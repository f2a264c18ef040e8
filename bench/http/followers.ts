import { setTimeout as wait } from 'node:timers/promises'
import type { Place } from '../place.ts'
import type { Line } from '../report.ts'
import { spreadOf } from '../sampling.ts'
import { startClient } from './client.ts'
import { inTurns } from './in-turns.ts'
import type { Usage } from './probe.ts'
import { startFloor, startSegno, type Server } from './server.ts'
import { sideBySide } from './side-by-side.ts'

type Memory = Pick<Usage, 'rss' | 'live'>

const FOLLOWERS = 1000
const AT_ONCE = 50
const FIRST_GROUPS = 4
const SETTLE_MS = 300
const LIMIT_BYTES = 25 * 1024

/** What a server holds for those who follow a session in which nothing happens. */
export async function benchFollowers(place: Place, samples: number): Promise<Line[]> {
  // A server that held many once keeps the room for them, so each measurement begins with a new one.
  const side = (start: (place: Place) => Promise<Server>) => async () => {
    const server = await start(place)
    try {
      return await perFollower(server)
    } finally {
      await server.stop()
    }
  }
  const [segno, floor] = await inTurns([side((at) => startSegno(at, 'normal')), side(startFloor)], samples, 0)
  const line = (name: string, of: (memory: Memory) => number): Line => {
    const ours = segno?.map(of)
    const reached = spreadOf(ours).median <= LIMIT_BYTES
    return { ...sideBySide(name, ours, floor?.map(of), inKb), aim: { text: '≤ 25 KB', reached } }
  }
  return [
    line(`resident memory of an idle follower, of ${FOLLOWERS}`, ({ rss }) => rss),
    line('the same, what is alive in the heap and beside it', ({ live }) => live),
  ]
}

async function perFollower(server: Server): Promise<Memory> {
  const client = startClient()
  const groups = inGroups(await server.sessions(FOLLOWERS))
  // Some come and go first: what a server takes once for its work is not counted.
  for (const sessions of groups.slice(0, FIRST_GROUPS)) {
    await client.follow(server, { sessions, reads: true })
    await client.letGo()
  }
  await wait(SETTLE_MS)
  const before = await server.usage('collect')
  for (const sessions of groups) await client.follow(server, { sessions, reads: true })
  await wait(SETTLE_MS)
  const after = await server.usage('collect')
  client.stop()
  return { rss: (after.rss - before.rss) / FOLLOWERS, live: (after.live - before.live) / FOLLOWERS }
}

function inGroups<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) => all.slice(i * AT_ONCE, (i + 1) * AT_ONCE))
}

const inKb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
