import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { runChain } from './run-chain.ts'
import { setStage } from './stage.ts'

verifies(
  ['REL-1', 'REL-4'],
  'a process that dies with more rounds than may run at once goes on with all of them',
  async () => {
    const { home, ledger } = await setStage()
    const episode = { id: '1', protocol: 'unified', effect: 'keyed', calls: 1, bystanders: 40, drag: 2 } as const
    const kills = [
      { point: 'text delta', nth: 30 },
      { point: 'after round.resumed', nth: 10 },
      { point: 'before round.resumed', nth: 5 },
    ] as const
    const report = await runChain(home, ledger, [{ episode, kills }])
    expect(report).toMatchObject({ kills: { length: 3 }, missed: [], harms: [] })
  },
  60_000,
)
