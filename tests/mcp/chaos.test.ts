import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { runMcpChaos } from './chaos.ts'

verifies(['COO-6', 'REL-2'], 'survives servers that are killed again and again while calls go on', async () => {
  const report = await runMcpChaos(11, 12)
  expect(report.faults).toEqual([])
  expect(report).toMatchObject({ kills: 12 })
  expect(report.restarts).toBeGreaterThan(8)
})
