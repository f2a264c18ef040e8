import { setTimeout as sleep } from 'node:timers/promises'

/** A tick comes no sooner than this after the one before, and later where others are at work. */
const TICK_MS = 10

/**
 * Milliseconds since it was called, as far as this process had the machine: those of its own thread, and those in which
 * its timers came. Where the machine is busy with something else that is less than the clock on the wall says.
 */
export function ownTime(): () => number {
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), TICK_MS).unref()
  const before = process.threadCpuUsage()
  return () => {
    clearInterval(ticking)
    return Math.max(ticks * TICK_MS, threadMs(before))
  }
}

/** Waits until this process has had the machine for so long: at least `ms`, and longer where others are at work. */
export async function ownSleep(ms: number): Promise<void> {
  for (let ticks = 0; ticks < ms / TICK_MS; ticks++) await sleep(TICK_MS, undefined, { ref: false })
}

/** Milliseconds of this thread on the processor that synchronous work takes. */
export function threadTime(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  return threadMs(before)
}

function threadMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
