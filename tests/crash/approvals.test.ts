import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import type { Doomed } from './plan-kills.ts'
import type { Episode, Kill } from './plan.ts'
import type { PointName } from './points.ts'
import { runChain } from './run-chain.ts'
import { setStage } from './stage.ts'

const at = (...points: PointName[]): Kill[] => points.map((point) => ({ point, nth: 1 }))

/** Everywhere between the question and its consequence. Once an unsafe call is started nobody can say whether it ran. */
const KILLS: readonly [Episode['effect'], Kill[]][] = [
  ['unsafe', at('waiting for approval', 'waiting for approval')],
  ['unsafe', at('decision stored')],
  ['unsafe', at('waiting for approval', 'decision acknowledged')],
  ['unsafe', at('before approval.decided')],
  ['keyed', at('after approval.decided')],
]

for (const decision of ['approve', 'deny'] as const) {
  verifies(
    ['ORC-8', 'REL-1', 'REL-2'],
    `${decision} is carried out exactly once, wherever the process is killed around it`,
    async () => {
      const { home, ledger } = await setStage()
      const chain = KILLS.map(([effect, kills], n): Doomed => {
        const protocol = n % 2 === 0 ? 'unified' : 'triggered'
        const episode: Episode = { id: String(n), protocol, effect, calls: 2, decision }
        return { episode, kills }
      })
      const { kills, missed, harms, evidence } = await runChain(home, ledger, chain)
      expect({ harms, missed, kills: kills.length }).toEqual({ harms: [], missed: [], kills: 7 })
      const items = ledger.of(home).map(({ args }) => (args as { item: string }).item)
      const asked = chain.flatMap(({ episode: { id } }) => [`${id}-1`, `${id}-2`])
      expect(items).toEqual(decision === 'approve' ? asked : [])
      const events = evidence?.state.sessions.flatMap((session) => session.events) ?? []
      expect(events.filter(({ type }) => type === 'approval.requested')).toHaveLength(asked.length)
      expect(events.filter(({ type }) => type === 'approval.decided')).toHaveLength(asked.length)
    },
    60_000,
  )
}
