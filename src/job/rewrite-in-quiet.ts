import type { Clock } from '../lib/clock.ts'
import type { UpkeepStore } from '../store/index.ts'

/** Hours of the day, by the clock of this machine; `to` is not one of them, and may be smaller than `from`. */
export interface QuietHours {
  readonly from: number
  readonly to: number
}

export interface Quiet {
  /** not given: never */
  readonly hours?: QuietHours | undefined
  /** Is nothing running, and nothing waiting to run? */
  isIdle(): boolean
  /** a larger file is left to a person */
  readonly rewriteUpTo: number
}

/** How long nothing must have run. */
const IDLE_MS = 60_000
/** What failed is tried again in the next night. */
const AGAIN_MS = 20 * 60 * 60 * 1000

/**
 * A file that an earlier Segno made is written anew once, as this one would make it. Everything stands still
 * meanwhile, so it is done only in hours that are said to be quiet, and only when nothing has run for a while.
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
