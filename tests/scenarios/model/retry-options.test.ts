import { expect, test } from 'vitest'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { problemOf } from '../library/support/problem-of.ts'

const RATE = { fault: { kind: 'error', status: 429 } } as const
const DOWN = { fault: { kind: 'error', status: 503 } } as const

async function failing(turn: typeof RATE | typeof DOWN, limits = {}) {
  return segnoUnderTest({ turns: [turn, turn, { text: 'At last.' }], limits })
}

verifies(
  'COO-6',
  'a sender may have failed calls tried again less often than is usual, and never more often',
  async () => {
    const it = await failing(RATE)
    expect((await it.ask('Go.', { retryOptions: { maxRetries: 1 } })).finishReason).toBe('error')
    expect((await it.ask('Go.', { retryOptions: { maxRetries: 2 } })).content).toBe('At last.')
    const few = await failing(RATE, { RETRIES: 1 })
    expect((await few.ask('Go.', { retryOptions: { maxRetries: 50 } })).finishReason).toBe('error')
  },
)

verifies('COO-6', 'and only after what it names', async () => {
  const ended = async (turn: typeof RATE | typeof DOWN, retryableErrors: ('RATE_LIMITED' | 'TEMPORARY_FAILURE')[]) =>
    (await (await failing(turn)).ask('Go.', { retryOptions: { retryableErrors } })).finishReason
  expect(await ended(RATE, ['RATE_LIMITED'])).toBe('complete')
  expect(await ended(RATE, ['TEMPORARY_FAILURE'])).toBe('error')
  expect(await ended(DOWN, ['TEMPORARY_FAILURE'])).toBe('complete')
  expect(await ended(DOWN, ['RATE_LIMITED'])).toBe('error')
  expect(await ended(DOWN, [])).toBe('error')
})

test('it may wait longer before it tries again, not shorter', async () => {
  const waits = async (backoffMs: number, limits = {}) =>
    said((await (await failing(RATE, limits)).ask('Go.', { retryOptions: { backoffMs } })).events, 'turn.retried').map(
      ({ waitMs }) => waitMs,
    )
  const [first = 0, second = 0] = await waits(40)
  expect([first >= 20, first <= 60, second >= 40, second <= 120]).toEqual([true, true, true, true])
  for (const wait of await waits(0, { RETRY_BASE_MS: 40 })) expect(wait).toBeGreaterThanOrEqual(20)
})

test('what is wrong with it is named', async () => {
  const it = await segnoUnderTest()
  const field = async (retryOptions: object) => (await problemOf(it.send('Go.', { retryOptions }))).field
  expect(await field({ maxRetries: -1 })).toBe('retryOptions.maxRetries')
  expect(await field({ backoffMs: 60_001 })).toBe('retryOptions.backoffMs')
  expect(await field({ retryableErrors: ['FOO'] })).toBe('retryOptions.retryableErrors')
  expect(await field({ retryableErrors: 'RATE_LIMITED' })).toBe('retryOptions.retryableErrors')
  expect(await field({ maxRetry: 1 })).toBe('retryOptions.maxRetry')
})
