import type { Clock } from '../lib/clock.ts'

/** Milliseconds somebody has to wait, or 0 if their request is allowed and counted. */
export type Rate = (who: string) => number

const MOST_BUCKETS = 10_000

/** A token bucket per actor that holds one minute's worth; each of several nodes allows its share. */
export function createRate(perMinute: number, clock: Clock, nodes: () => number = () => 1): Rate {
  const buckets = new Map<string, { left: number; at: number }>()
  const perMs = (): number => perMinute / nodes() / 60_000
  /** At least one request, however small the share. */
  const most = (): number => Math.max(1, perMinute / nodes())

  function bucket(who: string, now: number): { left: number; at: number } {
    const known = buckets.get(who)
    if (known) return known
    if (buckets.size >= MOST_BUCKETS) forgetFull(now)
    const fresh = { left: most(), at: now }
    buckets.set(who, fresh)
    return fresh
  }

  /** Full buckets carry no information; if none is full, the oldest goes. */
  function forgetFull(now: number): void {
    const [full, rate] = [most(), perMs()]
    for (const [who, one] of buckets) if (one.left + (now - one.at) * rate >= full) buckets.delete(who)
    for (const who of buckets.keys()) {
      if (buckets.size < MOST_BUCKETS) return
      buckets.delete(who)
    }
  }

  return (who) => {
    if (perMinute === 0) return 0
    const now = clock.now()
    const one = bucket(who, now)
    one.left = Math.min(most(), one.left + Math.max(0, now - one.at) * perMs())
    one.at = now
    if (one.left < 1) return Math.ceil((1 - one.left) / perMs())
    one.left -= 1
    return 0
  }
}
