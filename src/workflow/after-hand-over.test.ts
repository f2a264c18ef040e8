import { expect, test } from 'vitest'
import { nextLook, retryPlan } from './after-hand-over.ts'

test('what is due is due at a whole millisecond, because PostgreSQL keeps no others', () => {
  const retryMs = retryPlan({ attempts: 9, baseMs: 1000, factor: 1.1, maxMs: 1_000_000 })
  const waits = Array.from({ length: 8 }, (_, made) => retryMs(made + 1))
  const looks = [1, 12_345, 60_001].map((tookMs) => nextLook({ startedAt: 0, until: 86_400_000 }, true, tookMs))
  expect([...waits, ...looks].filter((ms) => !Number.isSafeInteger(ms))).toEqual([])
  expect(looks).toEqual([5001, 18_518, 90_002])
})
