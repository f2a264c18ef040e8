import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const NOON = Date.parse('2026-11-19T12:00:00Z')
const DAY_MS = 86_400_000

test.each([
  ['7', 7000],
  ['0', 0],
  ['Thu, 19 Nov 2026 12:00:05 GMT', 5000],
  ['Thu, 19 Nov 2026 11:00:00 GMT', 0],
  ['999999999', DAY_MS],
  ['Thu, 19 Nov 2099 12:00:00 GMT', DAY_MS],
  ['soon', undefined],
  ['', undefined],
  ['9'.repeat(50), undefined],
  [null, undefined],
])('Retry-After %j is %j ms', (said, ms) => {
  expect(retryAfterMs(said, NOON)).toBe(ms)
})
