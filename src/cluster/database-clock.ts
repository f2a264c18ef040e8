import type { Clock } from '../lib/clock.ts'

/** How far this machine's clock may be off without a warning. */
const OFF_MS = 5000
/** A slower answer is too imprecise to measure with. */
const SLOW_MS = 1000

export interface DatabaseClock extends Required<Clock> {
  /** The database answered `now` between these two times of `ticks`. */
  measured(sentAt: number, answeredAt: number, now: number): void
}

/** The database's time, so that all nodes store comparable times; it never runs backwards. */
export function databaseClock(system: Required<Clock>, onOff: (byMs: number) => void): DatabaseClock {
  let offset: number | undefined
  let last = -Infinity
  let hasWarned = false

  return {
    now() {
      const now = offset === undefined ? system.now() : Math.round(system.ticks() + offset)
      last = Math.max(last, now)
      return last
    },
    ticks: () => system.ticks(),
    measured(sentAt, answeredAt, now) {
      if (offset !== undefined && answeredAt - sentAt > SLOW_MS) return
      // Before the first measurement this machine's clock was used, which may have been ahead.
      if (offset === undefined) last = -Infinity
      offset = now - (sentAt + answeredAt) / 2
      const byMs = system.now() - (system.ticks() + offset)
      if (hasWarned || Math.abs(byMs) <= OFF_MS) return
      hasWarned = true
      onOff(byMs)
    },
  }
}
