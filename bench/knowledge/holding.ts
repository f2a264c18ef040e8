/**
 * How long others waited for their turn at most while something went on, in milliseconds that the main thread worked:
 * what else runs on the machine does not count. It looks once a millisecond, so that looking makes no garbage to speak of.
 */
export async function holding(work: () => Promise<unknown>): Promise<number> {
  let last = threadMs()
  let longest = 0
  const look = (): void => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  try {
    await work()
    look()
  } finally {
    clearInterval(timer)
  }
  return longest
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const EVERY_MS = 20

/** Returns by how many megabytes the process grew at most until then. */
export function watchMemory(): () => number {
  const before = process.memoryUsage.rss()
  let most = before
  const look = (): void => void (most = Math.max(most, process.memoryUsage.rss()))
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    look()
    return (most - before) / 1e6
  }
}
