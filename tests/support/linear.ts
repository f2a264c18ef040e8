import { expect } from 'vitest'

/** Work on four times as much takes about four times as long: what is quadratic takes sixteen times. */
export function expectLinear(some: () => void, fourTimes: () => void): void {
  const limit = 10 * Math.max(cost(some), LEAST_MS)
  expect(cost(fourTimes)).toBeLessThan(limit)
}

/** What is shorter than this is measured too coarsely. */
const LEAST_MS = 1

/** Milliseconds of this thread alone, the best of three: others at work do not count. */
export function cost(work: () => void): number {
  const once = (): number => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once())
}
