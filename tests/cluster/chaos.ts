import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { spawnSync } from 'node:child_process'
import { throwDice } from '../crash/dice.ts'
import { startPostgres } from '../support/postgres/start-postgres.ts'
import { laySwitches, namespaces, proxies } from './network.ts'
import { planEpisode } from './plan-episode.ts'
import { runEpisode } from './run-episode.ts'
import { setClusterStage } from './stage.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** with all times divided by ten, and at real times */
    episodes: { type: 'string', default: '900,100' },
    /** only this one, as the seed plans it */
    only: { type: 'string' },
    out: { type: 'string' },
    /** interrupt proxies, also where network namespaces can be made */
    proxies: { type: 'boolean', default: false },
    /** said by this program to itself */
    inside: { type: 'boolean', default: false },
  },
})

const NODES = 3
/** so many episodes share a database and its nodes */
const TOGETHER = 25
const FASTER = 10
const PATIENCE_MS = 120_000

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const [fast = 0, slow = 0] = (values.episodes ?? '').split(',').map(Number)
const only = values.only === undefined ? undefined : Number(values.only)
if (![seed, fast, slow, only ?? 0].every((value) => Number.isSafeInteger(value)))
  throw new Error('--seed, --episodes (N or N,M) and --only are whole numbers')

const say = (line: string): void => {
  console.log(line)
  if (values.out !== undefined) appendFileSync(values.out, `${line}\n`)
}

if (!values.inside && !values.proxies && canUnshare()) {
  const again = [...process.execArgv, ...process.argv.slice(1), '--inside', '--seed', String(seed)]
  const child = spawnSync('unshare', ['--net', process.execPath, ...again], { stdio: 'inherit' })
  process.exit(child.status ?? 1)
}
if (values.inside) laySwitches()

const total = { episodes: 0, calls: 0, unknown: 0 }
const harms: Record<string, number> = {}
let isWell = true

say(
  `seed ${seed}: ${fast} episodes with all times divided by ${FASTER}, ${slow} at real times, ${NODES} nodes, cut off by ${values.inside ? 'network namespaces' : 'proxies'}`,
)
const server = await startPostgres()
try {
  if (fast > 0) await runAll(fast, FASTER)
  if (slow > 0) await runAll(slow, 1)
} finally {
  await server.stop()
}
const kinds = ['lost', 'repeated', 'stuck', 'disordered'].map((harm) => `${harms[harm] ?? 0} ${harm}`).join(', ')
say(`${total.episodes} episodes, ${total.calls} calls (${total.unknown} unknown): ${kinds}`)
process.exitCode = isWell ? 0 : 1

/** Needs the rights of root, and a kernel that has bridges. */
function canUnshare(): boolean {
  return spawnSync('unshare', ['--net', 'ip', 'link', 'add', 'try', 'type', 'bridge'], { stdio: 'ignore' }).status === 0
}

async function runAll(episodes: number, faster: number): Promise<void> {
  const takeovers: number[] = []
  const kind = faster === 1 ? 'real times' : `times divided by ${faster}`
  for (let from = 0; from < episodes; from += TOGETHER) {
    const planned = Array.from({ length: Math.min(TOGETHER, episodes - from) }, (_, at) => {
      const n = from + at
      return planEpisode(n, NODES, faster, throwDice(seed + n * 7919))
    }).filter(({ n }) => only === undefined || n === only)
    if (planned.length === 0) continue
    const rounds = planned.flatMap((one) => one.rounds)
    const stage = await setClusterStage({
      server,
      nodes: NODES,
      faster,
      episodes: rounds,
      network: values.inside ? namespaces : proxies,
    })
    try {
      for (const episode of planned) {
        const dice = throwDice(seed + episode.n * 104_729 + 1)
        const report = await runEpisode({ stage, server, episode, faster, dice, patienceMs: PATIENCE_MS })
        total.episodes += 1
        total.calls += report.calls
        total.unknown += report.unknown
        takeovers.push(...report.takeovers)
        const what = episode.faults.map(({ kind: fault, forMs }) => `${fault} ${Math.round(forMs)} ms`).join(' + ')
        const taken = report.takeovers.map((ms) => Math.round(ms)).join(' ')
        say(
          `${kind} ${episode.n}: ${what}; ${report.calls} calls, ${report.unknown} unknown; taken over after ${taken || '-'}; ${report.violations.length} violations`,
        )
        for (const { harm, check, what: words } of report.violations) {
          isWell = false
          harms[harm] = (harms[harm] ?? 0) + 1
          say(`  ${harm}: ${check}: ${words}`)
        }
        if (report.violations.length > 0)
          say(
            `  again: npm run chaos:cluster -- --seed ${seed} --only ${episode.n} --episodes ${faster === 1 ? `0,${episodes}` : episodes}`,
          )
      }
    } finally {
      // What a node writes besides its log is of interest: it should be nothing.
      for (const { name, process } of stage.members) {
        const odd = process
          .err()
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('{"time"'))
        if (odd.length > 0) say(`  ${name} said: ${odd.slice(-10).join(' | ')}`)
      }
      await stage.close()
    }
  }
  const sorted = takeovers.toSorted((a, b) => a - b)
  const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))]
  const limit = 12_000 / faster
  say(
    `${kind}: ${sorted.length} takeovers, p50 ${sorted[Math.floor(sorted.length / 2)] ?? '-'} ms, p99 ${p99 ?? '-'} ms, longest ${sorted.at(-1) ?? '-'} ms`,
  )
  if (faster === 1 && p99 !== undefined && p99 > limit) {
    isWell = false
    say(`  p99 is more than ${limit} ms`)
  }
}
