import type { Bucket, Counters, Sample } from './sample.ts'

/** A value at a time; `null` where there is nothing to say. */
export interface Point {
  readonly at: number
  readonly value: number | null
}

const MINUTE = 60_000
/** Latency is looked at over a longer time: few rounds end in a minute. */
const LATENCY_MS = 5 * MINUTE

/** How much a counter grew in the minute before each sample. */
export function perMinute(samples: readonly Sample[], counter: keyof Counters): Point[] {
  const grown = growths(samples, ({ counters }, before) => counters[counter] - (before?.counters[counter] ?? 0))
  return windows(samples, MINUTE, (from, to) => total(grown, from, to))
}

/** The driving time in seconds that this share of the rounds stayed under, of those that ended in the five minutes before. */
export function latency(samples: readonly Sample[], share: number): Point[] {
  const grown = growths(samples, ({ buckets }, before) => less(buckets, before?.buckets ?? []))
  return windows(samples, LATENCY_MS, (from, to) => quantile(added(grown.slice(from + 1, to + 1)), share))
}

export const gauge = (samples: readonly Sample[], read: (sample: Sample) => number): Point[] =>
  samples.map((sample) => ({ at: sample.at, value: read(sample) }))

/** The value below which this share of what was counted lies, guessed within a bucket as Prometheus does. */
export function quantile(buckets: readonly Bucket[], share: number): number | null {
  const all = buckets.at(-1)?.count ?? 0
  if (all === 0) return null
  const rank = share * all
  const at = buckets.findIndex(({ count }) => count >= rank)
  const { le = Infinity, count = all } = buckets[at] ?? {}
  const below = buckets[at - 1] ?? { le: 0, count: 0 }
  // Above the last bound nobody knows how far: it is at least that bound.
  if (le === Infinity) return below.le
  return below.le + (le - below.le) * ((rank - below.count) / Math.max(1, count - below.count))
}

/** What happened between each sample and the one before it; nothing is known of what came before the first. */
function growths<T>(samples: readonly Sample[], grown: (now: Sample, before?: Sample) => T): (T | undefined)[] {
  return samples.map((now, i) => {
    const before = samples[i - 1]
    if (!before) return undefined
    return hasRestarted(before, now) ? grown(now) : grown(now, before)
  })
}

/** Counters begin at 0 again with the process. */
export function hasRestarted(before: Sample, now: Sample): boolean {
  const names = Object.keys(now.counters) as (keyof Counters)[]
  return names.some((name) => now.counters[name] < before.counters[name])
}

/** `from` is the last sample at or before the beginning of the window; without one, the first there is. */
function windows(
  samples: readonly Sample[],
  lengthMs: number,
  read: (from: number, to: number) => number | null,
): Point[] {
  let from = 0
  return samples.slice(1).map(({ at }, i) => {
    while ((samples[from + 1]?.at ?? Infinity) <= at - lengthMs) from += 1
    return { at, value: read(from, i + 1) }
  })
}

function total(grown: readonly (number | undefined)[], from: number, to: number): number {
  let all = 0
  for (let i = from + 1; i <= to; i += 1) all += grown[i] ?? 0
  return all
}

const less = (now: readonly Bucket[], before: readonly Bucket[]): Bucket[] =>
  now.map(({ le, count }, i) => ({ le, count: count - (before[i]?.count ?? 0) }))

function added(parts: readonly (readonly Bucket[] | undefined)[]): Bucket[] {
  const known = parts.filter((part) => part !== undefined)
  const bounds = known.at(-1) ?? []
  return bounds.map(({ le }, i) => ({ le, count: known.reduce((sum, part) => sum + (part[i]?.count ?? 0), 0) }))
}
