import { parseArgs } from 'node:util'
import { benchBacklog } from './backlog.ts'
import { benchCaching } from './caching.ts'
import { benchFirstRound } from './first-round.ts'
import { benchFork } from './fork.ts'
import { benchHistory } from './history.ts'
import { benchHttp } from './http/bench-http.ts'
import { benchSoak } from './http/soak.ts'
import { benchKnowledge } from './knowledge/bench-knowledge.ts'
import { benchLength, benchOpening } from './opening.ts'
import { makePlace, type Place } from './place.ts'
import { printTable, type Line } from './report.ts'
import { benchPostgres } from './postgres/bench-postgres.ts'
import { benchProvider } from './provider.ts'
import { benchRendering } from './rendering.ts'
import { benchRound } from './rounds.ts'
import { benchThroughput } from './throughput.ts'
import { benchWorkflows } from './workflows/bench-workflows.ts'
import { W1, W2 } from './workloads.ts'

type Bench = (place: Place, quick: boolean) => Promise<Line | Line[]>

const BENCHES: Readonly<Record<string, Bench>> = {
  w1: async (place, quick) => [
    await benchRound(place, W1, 'normal', quick ? 100 : 600, 2.5),
    await benchRound(place, W1, 'full', quick ? 50 : 300),
  ],
  w2: async (place, quick) => [
    await benchRound(place, W2, 'normal', quick ? 100 : 600, 2.5),
    await benchRound(place, W2, 'full', quick ? 50 : 300, 1.3),
  ],
  history: (place, quick) => benchHistory(place, quick ? 50 : 300),
  opening: async (place, quick) => [
    await benchOpening(place, quick ? 30 : 200),
    ...(await benchLength(place, quick ? 30 : 200)),
  ],
  fork: (place, quick) => benchFork(place, quick ? 100 : 500),
  throughput: (place, quick) => benchThroughput(place, quick ? 5 : 20),
  start: (place, quick) => benchFirstRound(place, quick ? 5 : 25),
  provider: (_, quick) => benchProvider(quick ? 10 : 60),
  rendering: (place, quick) => benchRendering(place, quick ? 50 : 300),
  backlog: (place, quick) => benchBacklog(place, quick ? 2 : 5),
  caching: (place) => benchCaching(place),
  knowledge: (place, quick) => benchKnowledge(place, quick ? 10_000 : 100_000, quick ? 20 : 40),
  workflows: (place, quick) => benchWorkflows(place, quick ? 30 : 200, quick ? 1 : 2),
  http: benchHttp,
  postgres: benchPostgres,
  soak: (place) => benchSoak(place, minutes),
}

/** Only when named. */
const LONG = ['soak']

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, minutes: { type: 'string', default: '10' } },
  allowPositionals: true,
})
const minutes = Number(values.minutes)
const unknown = positionals.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Known: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}

if (!(minutes > 0)) {
  console.error(`--minutes is "${values.minutes}", expected a number above 0.`)
  process.exit(2)
}

const place = makePlace()
try {
  const lines: Line[] = []
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (positionals.length > 0 ? !positionals.includes(name) : LONG.includes(name)) continue
    const start = performance.now()
    lines.push(...[await bench(place, values.quick ?? false)].flat())
    console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  printTable(lines)
  if (lines.some(({ aim }) => aim?.isMust && !aim.reached)) process.exitCode = 1
} finally {
  place.remove()
}
