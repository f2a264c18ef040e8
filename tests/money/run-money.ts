import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../support/compiled.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { endLeases } from '../crash/end-leases.ts'
import { openStoreOf, storeEnv } from '../support/store-under-test.ts'
import { noteCommits, readDatabase } from './commit-order.ts'
import { plantOnPostgres } from './faults-postgres.ts'
import { judgeMoney, type Judged } from './judge.ts'
import { limitsOf, planDeaths, type Death, type MoneyLife, type Plan } from './plan.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const LONGEST_MS = 90_000

export interface MoneyReport extends Judged {
  readonly kills: number
  readonly commits: number
  /** where everything is, if something was wrong */
  readonly folder: string
}

/** Rounds of one user on one budget, in a Segno that is killed again and again, until all of them have ended. */
export async function runMoney(plan: Plan): Promise<MoneyReport> {
  const folder = mkdtempSync(join(tmpdir(), 'segno-money-'))
  const home = join(folder, 'home')
  const world = join(folder, 'world.txt')
  writeFileSync(world, '')
  await prepare(home, plan)
  let kills = 0
  for (const death of planDeaths(plan)) {
    const ended = await live({ ...plan, home, world, death })
    if (ended === 'killed') kills += 1
    else if (ended !== 0) return stuck(folder, kills, `a process ended with ${ended}`)
  }
  // Nothing is left undone: whoever is left alone finishes it.
  const last = await live({ ...plan, home, world })
  if (last !== 0) return stuck(folder, kills, `the last process ended with ${last}`)
  const stored = await readDatabase(home)
  const store = await openStoreOf(home)
  const judged = await judgeMoney(plan, stored, store, readFileSync(world, 'utf8'))
  await store.close()
  if (judged.harms.length === 0) rmSync(folder, { recursive: true })
  return { ...judged, kills, commits: stored.commits.length, folder }
}

async function prepare(home: string, plan: Plan): Promise<void> {
  const store = await openStoreOf(home)
  const { id: userId, tenant } = LOCAL_OWNER
  await store.putEntitlement({ tenant, userId, ...limitsOf(plan), updatedAt: Date.now() })
  await store.close()
  await noteCommits(home)
  await plantOnPostgres(home, plan.fault)
}

/** Its exit code, or that it was killed as planned. */
async function live(life: MoneyLife): Promise<number | string> {
  const { death } = life
  const child = spawn(process.execPath, ['--conditions=segno-source', CHILD], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...COMPILED,
      MONEY_LIFE: JSON.stringify(life),
      ...storeEnv(),
    },
  })
  let tooLong = false
  const kill = (): boolean => child.kill('SIGKILL')
  const timers = [
    setTimeout(() => {
      tooLong = true
      kill()
    }, LONGEST_MS),
  ]
  const strike = (on: Death['on']): void => {
    if (death?.on === on && 'afterMs' in death) timers.push(setTimeout(kill, death.afterMs))
  }
  strike('spawn')
  child.stdout.once('data', () => strike('ready'))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('close', (...how) => resolve(how))
  })
  for (const timer of timers) clearTimeout(timer)
  await endLeases(life.home)
  if (tooLong) return 'too long a life'
  return signal === 'SIGKILL' && death ? 'killed' : (code ?? String(signal))
}

function stuck(folder: string, kills: number, what: string): MoneyReport {
  const harms = [{ check: 'nothing is stuck', what }]
  const most = { tokens: 0, toolCost: 0, cost: 0 }
  return { harms, kills, folder, commits: 0, reservations: 0, ends: {}, refusals: {}, most }
}
