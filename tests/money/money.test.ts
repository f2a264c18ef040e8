import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { runMoney } from './run-money.ts'

verifies(
  ['GOV-9', 'GOV-10'],
  'a hundred parallel rounds on one budget, killed again and again, never pass it, and settle all they set aside once',
  async () => {
    const report = await runMoney({ seed: 5, mode: 'all', rounds: 100, kills: 4 })
    expect(report.harms).toEqual([])
    expect(report.kills).toBeGreaterThan(2)
    // The budget was short: some rounds were refused, others came to their end.
    expect(Object.keys(report.ends)).toEqual(expect.arrayContaining(['complete', 'budget']))
  },
  120_000,
)
