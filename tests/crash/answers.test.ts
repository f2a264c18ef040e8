import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import type { Episode } from './plan.ts'
import type { PointName } from './points.ts'
import { runChain } from './run-chain.ts'
import { setStage } from './stage.ts'

/** A call that asks a person while it runs, in a process that is killed once. */
async function killedAt(point: PointName, effect: Episode['effect']) {
  const { home, ledger } = await setStage()
  const episode: Episode = { id: '1', protocol: 'unified', calls: 1, effect, question: true }
  const report = await runChain(home, ledger, [{ episode, kills: [{ point, nth: 1 }] }])
  const events = report.evidence?.state.sessions[0]?.events ?? []
  return {
    missed: report.missed,
    harms: report.harms,
    asked: events.filter(({ type }) => type === 'approval.requested').length,
    decided: events.flatMap((one) => (one.type === 'approval.decided' ? [one.data.decision] : [])),
    results: events.flatMap((one) => (one.type === 'tool.result' ? [one.data.outcome] : [])),
    delivered: ledger.of(home).length,
  }
}

verifies(
  ['REL-1', 'ORC-8'],
  'an answer that a call has acted upon is in the log, and the call that runs again gets it without asking anew',
  async () => {
    expect(await killedAt('in tool, after its effect', 'keyed')).toEqual({
      missed: [],
      harms: [],
      asked: 1,
      decided: ['approve'],
      results: ['ok'],
      delivered: 2,
    })
  },
  60_000,
)

verifies(
  ['REL-1', 'ORC-8'],
  'an answer to a call that may not run again is in the log all the same',
  async () => {
    expect(await killedAt('in tool, after its effect', 'unsafe')).toMatchObject({
      harms: [],
      asked: 1,
      decided: ['approve'],
      results: ['unknown'],
    })
  },
  60_000,
)

verifies(
  ['REL-1', 'ORC-8'],
  'an answer that was stored and not yet handed out is given to the call that runs again',
  async () => {
    expect(await killedAt('decision stored', 'keyed')).toMatchObject({
      missed: [],
      harms: [],
      asked: 1,
      decided: ['approve'],
      results: ['ok'],
      delivered: 1,
    })
  },
  60_000,
)
