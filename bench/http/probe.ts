import { setTimeout as wait } from 'node:timers/promises'
import { answering } from './talk.ts'

export interface Usage {
  /** user and system time of the process since it began */
  readonly cpuMs: number
  readonly rss: number
  /** what is alive in the heap and beside it; exact only after `collect` */
  readonly live: number
}

export type ProbeWish = 'look' | 'collect'

/** Loaded into a server before anything else (`node --import`): tells what it uses, without being part of it. */
answering<ProbeWish, Usage>(async (wish) => {
  if (wish === 'collect') {
    // What is freed by finalizers or on other threads is gone only after another round.
    for (let i = 0; i < 4; i++) {
      globalThis.gc?.()
      await wait(50)
    }
  }
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { cpuMs: (user + system) / 1000, rss, live: heapUsed + external }
})

// A benchmark that was broken off leaves no server behind.
process.once('disconnect', () => process.exit())
