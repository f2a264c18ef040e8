import { expect, test } from 'vitest'
import type { Invocation } from '../contract/invocation.ts'
import { afterHandOver, nextLook, retryPlan, type Plan } from './after-hand-over.ts'

test('what is due is due at a whole millisecond, because PostgreSQL keeps no others', () => {
  const retryMs = retryPlan({ attempts: 9, baseMs: 1000, factor: 1.1, maxMs: 1_000_000 })
  const waits = Array.from({ length: 8 }, (_, made) => retryMs(made + 1))
  const looks = [1, 12_345, 60_001].map((tookMs) => nextLook({ startedAt: 0, until: 86_400_000 }, true, tookMs))
  expect([...waits, ...looks].filter((ms) => !Number.isSafeInteger(ms))).toEqual([])
  expect(looks).toEqual([5001, 18_518, 90_002])
})

test('nothing stays of the answer of an attempt that failed once another one said something else', () => {
  const plan: Plan = { effect: 'keyed', retryMs: () => 1000, canFind: false }
  const refused = {
    kind: 'failure',
    code: 'RATE_LIMITED',
    error: 'Busy.',
    mayHaveHappened: false,
    isFinal: false,
  } as const
  const begun = { status: 'pending', attempts: 1, createdAt: 0, until: 60_000 } as Invocation
  const busy = afterHandOver(begun, { ...refused, raw: 'come back later' }, plan, 1)
  expect(busy).toMatchObject({ status: 'pending', error: 'Busy.', raw: 'come back later' })
  expect(afterHandOver(busy, refused, plan, 2)).not.toHaveProperty('raw')
  const done = afterHandOver(busy, { kind: 'success', output: null }, plan, 2)
  expect(done).toMatchObject({ status: 'success', output: null })
  for (const field of ['raw', 'code', 'error']) expect(done).not.toHaveProperty(field)
})
