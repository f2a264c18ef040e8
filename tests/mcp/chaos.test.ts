import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { runMcpChaos } from './chaos.ts'

verifies(['COO-6', 'REL-2'], 'survives servers that are killed again and again while calls go on', async () => {
  const report = await runMcpChaos(11, 12)
  expect(report.faults).toEqual([])
  expect(report).toMatchObject({ kills: 12 })
  expect(report.killsOfReady).toBeGreaterThan(0)
})

verifies('REL-2', 'says of no call that it was not sent when one of its two tries was', async () => {
  // Too short to start a server again, so a second try seldom finds one.
  const report = await runMcpChaos(11, 12, 20)
  expect(report.faults).toEqual([])
  expect(report.unknown).toBeGreaterThan(0)
})
