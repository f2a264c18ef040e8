import { expect, test } from 'vitest'
import type { InvocationEnd } from '../store/index.ts'
import { MOST_SUMMED, runSums } from './run-sums.ts'

const end = (status: InvocationEnd['status'], tookMs?: number, userId = 'ann'): InvocationEnd => ({
  status,
  userId,
  createdAt: 100,
  ...(tookMs !== undefined && { tookMs }),
})
const NONE = { pending: 0, running: 0, success: 0, failure: 0, timeout: 0, unknown: 0 }

test('runs are counted by how they are, and half of those that told their end took less than the median', () => {
  const ends = [end('success', 10), end('failure', 40), end('success', 20), end('running'), end('timeout', 9999)]
  expect(runSums(ends, 5)).toEqual({ ...NONE, since: 5, success: 2, failure: 1, running: 1, timeout: 1, medianMs: 20 })
  expect(runSums([end('success', 10), end('success', 21)], 5).medianMs).toBe(16)
  expect(runSums([end('pending'), end('failure')], 5)).toEqual({ ...NONE, since: 5, pending: 1, failure: 1 })
})

test('others are not counted for who may not see them', () => {
  const ends = [end('success', 10), end('failure', 40, 'bob')]
  expect(runSums(ends, 5, ({ userId }) => userId === 'ann')).toEqual({ ...NONE, since: 5, success: 1, medianMs: 10 })
})

test('where there are more than are looked at, they are counted since the oldest of these', () => {
  const ends = Array.from({ length: MOST_SUMMED }, () => end('success'))
  expect(runSums(ends, 5)).toMatchObject({ since: 100, success: MOST_SUMMED })
  expect(runSums(ends.slice(1), 5).since).toBe(5)
})
