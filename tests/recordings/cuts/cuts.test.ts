import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { verifies } from '../../support/verifies.ts'
import { recordingFiles } from '../read-recording.ts'
import { between as plant } from './planted.ts'
import { runCuts } from './run-cuts.ts'

const files = recordingFiles(fileURLToPath(new URL('../streams', import.meta.url)))
const MINUTE = 60_000

verifies(
  ['COO-6', 'ORC-2'],
  'a stream that is cut anywhere leaves no half call, no broken session and no doubled text',
  async () => {
    const { violations, cases, retried, runs } = await runCuts({ files, seed: 4, bytes: 40, each: 2 })
    expect(violations).toEqual([])
    expect({ cases, retried: retried > files.length, runs: runs > 20 }).toEqual({
      cases: files.length * 2,
      retried: true,
      runs: true,
    })
  },
  2 * MINUTE,
)

const some = files.filter((file) => /(?:anthropic|chat|google)-(?:text|call-one-piece|calls-several)\./.test(file))

test.for([
  { bug: 'a cut taken for an end', between: plant.cutIsEnd, seen: /taken for an answer/ },
  { bug: 'a half call carried out', between: plant.cutIsEnd, seen: /before the provider had ended it/ },
  { bug: 'text that is said again', between: plant.saidAgain, seen: /which nobody said/ },
  { bug: 'results that are not sent', between: plant.noResults, seen: /the provider would refuse a request/ },
])('$bug is noticed', { timeout: MINUTE }, async ({ between, seen }) => {
  const { violations } = await runCuts({ files: some, seed: 4, bytes: 10, each: 12, between })
  expect(violations.filter((violation) => seen.test(violation))).not.toEqual([])
})
