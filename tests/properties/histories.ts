import { checkStored } from '../../src/round/index.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { askFaults } from './invariants/asks.ts'
import { forkFaults, readFaults } from './invariants/forks.ts'
import { logFaults } from './invariants/log-faults.ts'
import { prefixFaults } from './invariants/prefixes.ts'
import { snapshotFaults } from './invariants/snapshots.ts'
import { plans, type Plan } from './plan.ts'
import { propertyStore } from './property-store.ts'
import { play } from './play.ts'
import { Stage } from './stage.ts'
import { Tally } from './tally.ts'

const ALL_RUNS = 5000
/** Opening a database takes as long as a history: several share one, and a failure gets a fresh one. */
const PER_STORE = 6

/** One part of the runs. `SEGNO_PROPERTY_RUNS` is their number over all parts, `SEGNO_PROPERTY_SEED` repeats them. */
export function historiesSuite(part: number, parts: number) {
  const numRuns = Math.ceil(Number(process.env['SEGNO_PROPERTY_RUNS'] ?? ALL_RUNS) / parts)
  const seed = Number(process.env['SEGNO_PROPERTY_SEED'] ?? Date.now() % 1_000_000_000) + part
  const tally = new Tally()
  let store: Store
  let used = 0

  beforeAll(async () => {
    // A process that is fenced says so, here many times.
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    store = await propertyStore()
  })

  afterAll(async () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    await store.close()
  })

  async function renew(): Promise<void> {
    await store.close()
    store = await propertyStore()
    used = 0
  }

  async function check(plan: Plan): Promise<void> {
    if (++used > PER_STORE) await renew()
    const stage = new Stage(store, plan)
    try {
      await play(stage)
      const logs = [...stage.logs]
      const faults = [
        ...stage.faults,
        ...stage.deniedRuns(),
        ...logs.flatMap(([, log]) => logFaults(log, stage)),
        ...logs.flatMap(([id, log]) => askFaults(log, stage.commitsOf(id))),
        ...logs.flatMap(([id, log]) => prefixFaults(log, stage.inherited(id), stage.commitsOf(id), plan.window)),
        ...(await forkFaults(stage)),
        ...(await readFaults(stage)),
        ...(await snapshotFaults(stage)),
        ...(await checkStored(store)).findings,
      ]
      expect(faults.slice(0, 8)).toEqual([])
    } catch (error) {
      await renew()
      throw error
    }
    count(stage, tally)
  }

  return {
    async run(): Promise<void> {
      console.log(`histories, part ${part} of ${parts}: ${numRuns} runs, seed ${seed}`)
      await fc.assert(fc.asyncProperty(plans, check), { numRuns, seed })
      console.log(tally.toString())
      if (numRuns >= 1000) expect(tally.missing()).toEqual([])
      expect(tally.longShare).toBeGreaterThan(0.3)
    },
  }
}

function count(stage: Stage, tally: Tally): void {
  const [first] = stage.logs.values()
  tally.history(first ?? [])
  for (const [id, log] of stage.logs) {
    const inherited = stage.inherited(id)
    tally.log(log.slice(inherited))
    tally.prefixes(log.length - inherited + 1)
    if (inherited > 0 && log[inherited + 1]?.requestId) tally.count('fork of an open round')
  }
  const runs = stage.executions.filter(({ what }) => what === 'run').map(({ callId }) => callId)
  tally.count('ran again', runs.length - new Set(runs).size)
  tally.count('looked up', stage.executions.filter(({ what }) => what === 'verify').length)
}
