import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settled, tryLater } from './try-later.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
  settled()
})

test('many who want another try get one, at the earliest of their times', () => {
  const again = vi.fn()
  for (const waitMs of [5000, 3000, 9000]) tryLater(again, waitMs)
  vi.advanceTimersByTime(2999)
  expect(again).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(again).toHaveBeenCalledTimes(1)
})

test('the longer nobody answers, the longer is waited, and an answer begins anew', () => {
  const waits: number[] = []
  const again = (): void => {
    if (waits.length >= 8) return
    const since = Date.now()
    tryLater(() => {
      waits.push(Date.now() - since)
      again()
    })
  }
  again()
  vi.runAllTimers()
  expect(waits[4]).toBeGreaterThan(5 * (waits[0] ?? 0))
  // However long it lasts, somebody who waits is not forgotten.
  expect(Math.max(...waits)).toBeLessThan(40_000)
  settled()
  const since = Date.now()
  let waited = 0
  tryLater(() => (waited = Date.now() - since))
  vi.runAllTimers()
  expect(waited).toBeLessThan(2000)
})
