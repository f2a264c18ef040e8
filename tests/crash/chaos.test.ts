import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { POINTS } from './conditions.ts'
import { chaosTable, runChaos } from './run-chaos.ts'

verifies(
  ['REL-1', 'REL-2', 'REL-3', 'REL-4', 'LIN-2', 'LIN-3', 'LIN-6'],
  'a process killed at every named point loses nothing, repeats nothing and goes on',
  async () => {
    const report = await runChaos({ seed: 20, kills: POINTS.length })
    expect(report.failures, chaosTable(report)).toEqual([])
    expect(report.points.filter((point) => !report.kills.has(point) && !point.startsWith('random'))).toEqual([])
  },
  240_000,
)
