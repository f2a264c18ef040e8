import { expect } from 'vitest'
import { runKills } from '../crash/server/run-kills.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { verifies } from '../support/verifies.ts'

const SESSIONS = 50

verifies(
  ['REL-1', 'REL-4', 'LIN-1', 'GOV-17'],
  'a server killed twice with fifty streams open loses nothing it has shown, and its readers get exactly the rest',
  async () => {
    const report = await runKills({ home: tempHome(), seed: 11, kills: 2, sessions: SESSIONS })
    expect(report.violations).toEqual([])
    // The kills struck in the middle: most answers were not there yet, and much had been shown.
    expect(Math.min(...report.struck)).toBeGreaterThan(SESSIONS / 2)
    expect(report.acknowledged).toBeGreaterThan(SESSIONS * 5)
    expect(report.connections).toBeGreaterThan(SESSIONS * 2)
  },
  60_000,
)
