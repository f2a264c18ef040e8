import type { Clock } from '../lib/clock.ts'
import type { UpkeepStore } from '../store/index.ts'

/** Hours of the day in local time, without `to`, which may be smaller than `from`. */
interface QuietHours {
  readonly from: number
  readonly to: number
}

export interface Quiet {
  /** by default never */
  readonly hours?: QuietHours | undefined
  isIdle(): boolean
  /** a larger file is left to a person */
  readonly rewriteUpTo: number
}

/** How long nothing must have run. */
const IDLE_MS = 60_000
/** A failed rewrite is tried again the next night. */
const AGAIN_MS = 20 * 60 * 60 * 1000

/**
 * Rewrites a file with an old layout once, in quiet hours and after a while of idleness, because it blocks everything.
 */
export function rewriteInQuiet(
  store: UpkeepStore,
  clock: Clock,
  { hours, isIdle, rewriteUpTo }: Quiet,
): () => Promise<void> {
  let busyAt = clock.now()
  let triedAt = -Infinity
  return async () => {
    const now = clock.now()
    if (!isIdle()) busyAt = now
    if (!hours || !isIn(hours, now) || now - busyAt < IDLE_MS || now - triedAt < AGAIN_MS) return
    if (!store.needsRewrite()) return
    triedAt = now
    await store.compact({ rewriteUpTo })
  }
}

function isIn({ from, to }: QuietHours, now: number): boolean {
  const hour = new Date(now).getHours()
  return from < to ? hour >= from && hour < to : hour >= from || hour < to
}
