import type { Clock } from '../lib/clock.ts'

/** How often each actor may ask: a bucket that holds a minute's worth and fills steadily. */
export interface Rate {
  /** How long to wait in milliseconds; 0: go on, and this one is counted. */
  take(who: string): number
}

const MOST_BUCKETS = 10_000

export function createRate(perMinute: number, clock: Clock): Rate {
  const buckets = new Map<string, { left: number; at: number }>()
  const perMs = perMinute / 60_000

  function bucket(who: string, now: number): { left: number; at: number } {
    const known = buckets.get(who)
    if (known) return known
    if (buckets.size >= MOST_BUCKETS) forgetFull(now)
    const fresh = { left: perMinute, at: now }
    buckets.set(who, fresh)
    return fresh
  }

  /** A bucket that is full again says nothing; if none is, the one asked longest ago goes. */
  function forgetFull(now: number): void {
    for (const [who, one] of buckets) if (one.left + (now - one.at) * perMs >= perMinute) buckets.delete(who)
    for (const who of buckets.keys()) {
      if (buckets.size < MOST_BUCKETS) return
      buckets.delete(who)
    }
  }

  return {
    take(who) {
      if (perMinute === 0) return 0
      const now = clock.now()
      const one = bucket(who, now)
      one.left = Math.min(perMinute, one.left + Math.max(0, now - one.at) * perMs)
      one.at = now
      if (one.left < 1) return Math.ceil((1 - one.left) / perMs)
      one.left -= 1
      return 0
    },
  }
}
