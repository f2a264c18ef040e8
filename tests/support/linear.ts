import { expect } from 'vitest'

/** Work on four times as much takes about four times as long: what is quadratic takes sixteen times. */
export function expectLinear(some: () => void, fourTimes: () => void): void {
  const ratio = (): number => cost(fourTimes) / Math.max(cost(some), LEAST_MS)
  // A busy machine takes caches away from one of the two; what really grows faster does so every time.
  const ratios = [ratio()]
  while (ratios.length < TRIES && Math.min(...ratios) >= MOST) ratios.push(ratio())
  expect(Math.min(...ratios)).toBeLessThan(MOST)
}

/** Sixteen times is the square. */
const MOST = 10
const TRIES = 4

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
