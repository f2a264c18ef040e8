import { describe, expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { checkAll } from './checks/check-all.ts'
import type { Episode, Life } from './plan.ts'
import { evidenceOf, knownFrom } from './run-chain.ts'
import { runLife, type Blow } from './run-life.ts'
import { setStage } from './stage.ts'

/** Asks a process to go while it answers, then lets another one go on. */
async function tellToGo(how: Pick<Episode, 'effect' | 'drag' | 'toolMs'>, drainMs: number, on: Blow['on']) {
  const { home, ledger } = await setStage()
  const episode: Episode = { id: '1', protocol: 'unified', calls: 1, ...how }
  const life: Life = { home, ledger: ledger.url, known: knownFrom([]), steps: [{ episode }], drainMs }
  const first = await runLife(life, ledger, { signal: 'SIGTERM', on, afterMs: 20 })
  const second = await runLife({ ...life, known: knownFrom([first.heard]) }, ledger)
  const evidence = evidenceOf([first.heard, second.heard], ledger.of(home), [episode])
  const events = evidence.state.sessions.flatMap((session) => session.events)
  return {
    first,
    second,
    /** ends the first process has shown */
    ended: first.heard.filter((one) => one.type === 'event' && one.event.type === 'round.ended').length,
    results: events.flatMap((one) => (one.type === 'tool.result' ? [one.data.outcome] : [])),
    resumed: events.flatMap((one) => (one.type === 'round.resumed' ? [one.data.n] : [])),
    deliveries: evidence.deliveries.length,
    violations: checkAll(evidence),
  }
}

const AT_EASE = { code: 0, signal: null, stderr: '' }
/** Draining takes 50 ms here; the rest is for a machine that has other things to do. */
const SOON_MS = 15_000

describe('SIGTERM', () => {
  verifies(
    'COO-10',
    'lets a short round finish, takes no new message meanwhile, and ends the process',
    async () => {
      const told = await tellToGo({ effect: 'unsafe', toolMs: 100 }, 20_000, 'delivery')
      expect(told.first).toMatchObject(AT_EASE)
      expect(told.first.heard).toContainEqual({ type: 'refused', code: 'SHUTTING_DOWN' })
      expect(told).toMatchObject({ ended: 1, results: ['ok'], resumed: [], deliveries: 1, violations: [] })
    },
    120_000,
  )

  for (const [effect, results, deliveries] of [
    ['unsafe', ['unknown'], 1],
    ['verifiable', ['ok'], 1],
    ['keyed', ['ok'], 2],
  ] as const) {
    verifies(
      ['COO-10', 'REL-2'],
      `leaves a long round with a call that is ${effect} to the next start, which loses and repeats nothing`,
      async () => {
        const told = await tellToGo({ effect, toolMs: 1500 }, 50, 'delivery')
        expect(told).toMatchObject({ first: AT_EASE, second: AT_EASE })
        expect(told.first.afterBlowMs).toBeLessThan(SOON_MS)
        expect(told).toMatchObject({ ended: 0, results, resumed: [1], deliveries, violations: [] })
      },
      120_000,
    )
  }

  verifies(
    ['COO-10', 'LIN-6'],
    'leaves a turn that is still streaming to the next start, which begins it again',
    async () => {
      const told = await tellToGo({ effect: 'unsafe', drag: 150 }, 50, 'speech')
      expect(told).toMatchObject({ first: AT_EASE, second: AT_EASE })
      expect(told.first.afterBlowMs).toBeLessThan(SOON_MS)
      expect(told).toMatchObject({ ended: 0, results: ['ok'], resumed: [1], deliveries: 1, violations: [] })
    },
    120_000,
  )
})
