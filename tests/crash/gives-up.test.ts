import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import type { Episode, Kill } from './plan.ts'
import type { PointName } from './points.ts'
import { runChain } from './run-chain.ts'
import { setStage } from './stage.ts'

const times = (count: number, point: PointName, nth = 1): Kill[] =>
  Array.from({ length: count }, () => ({ point, nth }))

async function die(kills: readonly Kill[], how: Pick<Episode, 'effect' | 'decision' | 'question'>) {
  const { home, ledger } = await setStage()
  const episode: Episode = { id: '1', protocol: 'unified', calls: 1, ...how }
  const report = await runChain(home, ledger, [{ episode, kills }])
  const events = report.evidence?.state.sessions[0]?.events ?? []
  const requestId = events.find(({ type }) => type === 'round.started')?.requestId
  const round = events.filter((one) => one.requestId === requestId)
  return {
    kills: report.kills.length,
    missed: report.missed,
    harms: report.harms,
    delivered: ledger.of(home).length,
    happened: ledger.of(home).filter((one) => one.happened).length,
    takeovers: round.flatMap((one) =>
      one.type === 'round.resumed' && one.data.reason === 'takeover' ? [one.data.n] : [],
    ),
    results: round.flatMap((one) => (one.type === 'tool.result' ? [one.data.outcome] : [])),
    ended: round.flatMap((one) => (one.type === 'round.ended' ? [one.data.finishReason] : [])),
    /** how the round after it ended */
    next: events.findLast((one) => one.type === 'round.ended' && one.requestId !== requestId)?.data,
  }
}

const GIVEN_UP = {
  kills: 4,
  missed: [],
  harms: [],
  takeovers: [1, 2, 3],
  ended: ['error'],
  next: { finishReason: 'complete' },
}

verifies(
  'REL-4',
  'a round that kills the process in every model stream ends with an error after three takeovers',
  async () => {
    expect(await die(times(4, 'text delta', 3), { effect: 'pure' })).toMatchObject({ ...GIVEN_UP, results: [] })
  },
  60_000,
)

verifies(
  ['REL-4', 'LIN-3'],
  'a round whose pure tool kills the process each time ends with an error after three takeovers',
  async () => {
    const died = await die(times(4, 'in tool, before its effect'), { effect: 'pure' })
    expect(died).toMatchObject({ ...GIVEN_UP, delivered: 0 })
  },
  60_000,
)

verifies(
  ['REL-2', 'REL-4'],
  'a keyed call that kills the process each time is delivered under one key and given up as unknown',
  async () => {
    const died = await die(times(4, 'in tool, after its effect'), { effect: 'keyed' })
    expect(died).toMatchObject({ ...GIVEN_UP, results: ['unknown'], delivered: 4, happened: 1 })
  },
  60_000,
)

verifies(
  ['REL-2', 'REL-4'],
  'a call whose look-up kills the process each time is given up as unknown',
  async () => {
    const kills = [...times(1, 'in tool, before its effect'), ...times(3, 'in verify')]
    expect(await die(kills, { effect: 'verifiable' })).toMatchObject({
      ...GIVEN_UP,
      results: ['unknown'],
      delivered: 0,
    })
  },
  60_000,
)

verifies(
  ['REL-2', 'REL-4'],
  'a keyed call that asks somebody and kills the process each time is given up, and nobody is asked any more',
  async () => {
    const died = await die(times(4, 'question open'), { effect: 'keyed', question: true })
    expect(died).toMatchObject({ ...GIVEN_UP, results: ['unknown'], delivered: 0 })
  },
  60_000,
)

verifies(
  ['REL-1', 'REL-4'],
  'a round that waits for a person may be killed any number of times',
  async () => {
    const died = await die(times(6, 'waiting for approval'), { effect: 'unsafe', decision: 'approve' })
    expect(died).toMatchObject({
      kills: 6,
      harms: [],
      takeovers: [],
      results: ['ok'],
      ended: ['complete'],
      delivered: 1,
    })
  },
  60_000,
)
