import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Harm, Violation } from './checks/evidence.ts'
import { startLedger } from './ledger.ts'
import { planKills, pointsWith, type Doomed } from './plan-kills.ts'
import type { PointName } from './points.ts'
import { linesOf, sandboxFor } from './real-tools.ts'
import { runChain } from './run-chain.ts'
import { POINTS } from './conditions.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly kills: number
  readonly point?: PointName
  /** only this home of the plan, to look at it again */
  readonly home?: number
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly kills: number
  readonly violations: number
}

export interface ChaosReport {
  /** where processes can be killed on this machine */
  readonly points: readonly PointName[]
  readonly kills: ReadonlyMap<PointName, number>
  readonly missed: ReadonlyMap<PointName, number>
  readonly failures: readonly Failure[]
  /** effects of processes of their own */
  readonly byCommands: number
  readonly byServers: number
  readonly byWorkflows: number
}

export interface Failure {
  readonly home: number
  readonly folder: string
  readonly harms: readonly { readonly point: PointName | undefined; readonly violation: Violation }[]
}

const EPISODES_PER_HOME = 8
const AT_ONCE = 2
const SPARE = 1.3

/** Kills processes by plan, two homes at a time, and checks each home after every episode. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), 'segno-chaos-'))
  const ledger = await startLedger()
  const kills = new Map<PointName, number>()
  const missed = new Map<PointName, number>()
  const failures: Failure[] = []
  let byCommands = 0
  let byServers = 0
  let byWorkflows = 0
  const count = (counts: Map<PointName, number>, point: PointName): unknown =>
    counts.set(point, (counts.get(point) ?? 0) + 1)
  const progress = (): void =>
    options.onProgress?.({ kills: sum(kills), violations: failures.reduce((n, { harms }) => n + harms.length, 0) })

  async function runHome(home: number, chain: readonly Doomed[]): Promise<void> {
    const place = join(folder, `home-${home}`)
    mkdirSync(place)
    const report = await runChain(place, ledger, chain, {
      onKill(point) {
        count(kills, point)
        progress()
      },
    })
    for (const point of report.missed) count(missed, point)
    byCommands += linesOf(place).length
    const others = ledger.of(place).filter(({ callId }) => callId === '')
    byWorkflows += others.filter(({ isWorkflow }) => isWorkflow).length
    byServers += others.filter(({ isWorkflow }) => !isWorkflow).length
    if (report.harms.length === 0) return rmSync(place, { recursive: true })
    failures.push({ home, folder: place, harms: report.harms })
    writeFileSync(join(place, 'plan.json'), JSON.stringify(chain, null, 2))
    writeFileSync(join(place, 'ledger.json'), JSON.stringify(ledger.of(place), null, 2))
    progress()
  }

  // More is planned than needed, because a plan may miss: a recovery cannot be killed where nothing is to recover.
  const { seed, point: only } = options
  const withBash = (await sandboxFor(folder)) !== undefined
  const needed = Math.ceil(planKills(seed, options.kills, { only, withBash }).length / EPISODES_PER_HOME)
  const planned = planKills(seed, Math.ceil(options.kills * SPARE), { only, withBash })
  const queue = Array.from({ length: Math.ceil(planned.length / EPISODES_PER_HOME) }, (_, at) => ({
    home: at + 1,
    chain: planned.slice(at * EPISODES_PER_HOME, (at + 1) * EPISODES_PER_HOME),
  }))
    .filter(({ home }) => options.home === undefined || home === options.home)
    .values()
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const { home, chain } of queue) {
      if (home > needed && sum(kills) >= options.kills) return
      await runHome(home, chain)
    }
  })
  await Promise.all(workers)
  await ledger.close()
  if (failures.length === 0) rmSync(folder, { recursive: true })
  return { points: pointsWith(withBash), kills, missed, failures, byCommands, byServers, byWorkflows }
}

const sum = (counts: ReadonlyMap<PointName, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)

const HARMS: readonly (readonly [Harm, string])[] = [
  ['lost', 'lost'],
  ['repeated', 'repeated'],
  ['stuck', 'stuck'],
  ['disordered', 'disorder'],
]

/** Point × kills × what went wrong. */
export function chaosTable({ kills, failures }: ChaosReport): string {
  const harms = failures.flatMap((failure) => failure.harms)
  const row = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(30)}${cells.map((cell) => String(cell).padStart(10)).join('')}`
  const cells = (mine: typeof harms): number[] =>
    HARMS.map(([harm]) => mine.filter(({ violation }) => violation.harm === harm).length)
  return [
    row('killed at', ['kills', ...HARMS.map(([, title]) => title)]),
    ...POINTS.filter((point) => kills.has(point)).map((point) =>
      row(point, [kills.get(point) ?? 0, ...cells(harms.filter((one) => one.point === point))]),
    ),
    row('all', [sum(kills), ...cells(harms)]),
  ].join('\n')
}
