import { describe, expect } from 'vitest'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { anthropicBill } from '../support/caching/anthropic-bill.ts'
import { keptBeforeEach, keptFromEach } from '../support/caching/kept-bytes.ts'
import { recordSession } from '../support/caching/record-session.ts'
import { WIRE_NAMES } from '../support/faulty-provider/wires.ts'
import { verifies } from '../support/verifies.ts'

const partings = (kept: ReturnType<typeof keptFromEach>) => kept.flatMap(({ parting }) => (parting ? [parting] : []))

describe.each(WIRE_NAMES)('what %s is sent', (wire) => {
  verifies('GOV-22', 'only grows in a unified session', async () => {
    const bodies = await recordSession(tempHome(), wire, 'unified')
    expect(bodies).toHaveLength(30)
    expect(partings(keptFromEach(bodies))).toEqual([])
  })

  verifies('GOV-22', 'is something else once the conversation is summarised, and then grows again', async () => {
    const bodies = await recordSession(tempHome(), wire, 'unified', { HISTORY_MESSAGES: 50 })
    expect(partings(keptFromEach(bodies))).toEqual([
      [expect.stringContaining('From Segno'), expect.stringContaining('<untrusted-data ')],
    ])
  })

  verifies('GOV-22', 'stays as it was before the round in a triggered session', async () => {
    const bodies = await recordSession(tempHome(), wire, 'triggered')
    expect(bodies).toHaveLength(30)
    expect(partings(keptBeforeEach(bodies))).toEqual([])
  })
})

describe('what Anthropic asks for the input of a session of ten messages with tools', () => {
  verifies('GOV-22', 'is hardly more than with a cache that never misses', async () => {
    const { cost, ideal } = anthropicBill(await recordSession(tempHome(), 'anthropic', 'unified'))
    expect(cost / ideal).toBeLessThan(1.15)
  })

  verifies('GOV-22', 'is less than half as much again in triggered rounds, which are sent in two forms', async () => {
    const { cost, ideal } = anthropicBill(await recordSession(tempHome(), 'anthropic', 'triggered'))
    expect(cost / ideal).toBeLessThan(1.45)
  })
})
