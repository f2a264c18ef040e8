import * as fc from 'fast-check'
import { expect } from 'vitest'
import { fold, toMessages } from '../../src/session/index.ts'
import { verifies } from '../support/verifies.ts'
import { continued, refusals } from './invariants/refusals.ts'
import { oldLogs } from './old-logs.ts'

verifies(
  'LIN-5',
  'older, redacted, deleted, cleared and summarised histories rebuild, cut off anywhere, to what providers take',
  () => {
    const seen = { summaries: 0, prefixes: 0 }
    fc.assert(
      fc.property(oldLogs, (log) => {
        for (let length = 0; length <= log.length; length += 1) {
          const messages = toMessages(fold(log.slice(0, length)).history)
          expect(refusals(continued(messages), `rebuilt after event ${length}`)).toEqual([])
          seen.prefixes += 1
        }
        seen.summaries += log.filter(({ type }) => type === 'compact.summary').length
      }),
      { numRuns: 2000 },
    )
    console.log(`rebuilding: ${seen.prefixes} prefixes, compact.summary ${seen.summaries} times (fed to the fold only)`)
    expect(seen.summaries).toBeGreaterThan(500)
  },
  120_000,
)
