import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import type { Doomed } from './plan-kills.ts'
import type { Episode, Kill } from './plan.ts'
import type { PointName } from './points.ts'
import { runChain } from './run-chain.ts'
import { setStage } from './stage.ts'

const at = (...points: PointName[]): Kill[] => points.map((point) => ({ point, nth: 1 }))

/** Everywhere between the start of a call that answers later and what follows from its result; and what it ends as. */
const KILLS: readonly [Episode['effect'], Kill[], outcome: string][] = [
  ['unsafe', at('before tool.started'), 'ok'],
  ['unsafe', at('after tool.started'), 'unknown'],
  ['unsafe', at('in tool, after its effect'), 'unknown'],
  // The hand-over is not stored: the class decides.
  ['unsafe', at('before tool.submitted'), 'unknown'],
  ['keyed', at('before tool.submitted'), 'ok'],
  ['verifiable', at('before tool.submitted'), 'ok'],
  ['pure', at('before tool.submitted'), 'ok'],
  // It is: whoever comes next waits on.
  ['unsafe', at('after tool.submitted'), 'ok'],
  ['keyed', at('after tool.submitted'), 'ok'],
  ['unsafe', at('waiting for result', 'waiting for result'), 'ok'],
  ['keyed', at('result stored'), 'ok'],
  ['unsafe', at('result acknowledged'), 'ok'],
  ['unsafe', at('before tool.result'), 'ok'],
  ['unsafe', at('after tool.result'), 'ok'],
  ['pure', [{ point: 'before model call', nth: 2 }], 'ok'],
]

verifies(
  ['LIN-2', 'REL-1', 'REL-2'],
  'a call that answers later is handed over once and has one result, wherever the process is killed around it',
  async () => {
    const { home, ledger } = await setStage()
    const chain = KILLS.map(([effect, kills], n): Doomed => {
      const protocol = n % 2 === 0 ? 'unified' : 'triggered'
      const fork = kills.length > 1 ? ({ fork: 'waiting' } as const) : {}
      return { episode: { id: String(n), protocol, effect, calls: 1, later: true, ...fork }, kills }
    })
    const { kills, missed, harms, evidence } = await runChain(home, ledger, chain)
    expect({ harms, missed, kills: kills.length }).toEqual({ harms: [], missed: [], kills: KILLS.length + 1 })
    const [main, fork] = evidence?.state.sessions ?? []
    const outcomes = main?.events.flatMap((one) => (one.type === 'tool.result' ? [one.data.outcome] : []))
    expect(outcomes).toEqual(KILLS.map(([, , outcome]) => outcome))
    // The fork was made while the call waited: there it is unknown, and its parent went on.
    const inFork = fork?.events.findLast((one) => one.type === 'tool.result')
    expect(inFork?.data).toMatchObject({ outcome: 'unknown', effect: 'unknown' })
  },
  120_000,
)
