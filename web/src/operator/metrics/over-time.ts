import type { Bucket, Counters, Sample } from './sample.ts'

/** A value at a time; `null` where there is nothing to say. */
export interface Point {
  readonly at: number
  readonly value: number | null
}

const MINUTE = 60_000
/** Latency is looked at over a longer time: few rounds end in a minute. */
const LATENCY_MS = 5 * MINUTE

/** How much a counter grew in the minute before each sample. The samples are `steady`. */
export function perMinute(samples: readonly Sample[], counter: keyof Counters): Point[] {
  return windows(samples, MINUTE, (from, to) => to.counters[counter] - from.counters[counter])
}

/** The time in seconds that this share of the rounds stayed under, of those that ended in the five minutes before. */
export function latency(samples: readonly Sample[], share: number): Point[] {
  return windows(samples, LATENCY_MS, (from, to) => quantile(less(to.buckets, from.buckets), share))
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
  // Above the last bound only the bound itself is known.
  if (le === Infinity) return below.le
  return below.le + (le - below.le) * ((rank - below.count) / Math.max(1, count - below.count))
}

/** The same samples with counters that do not fall back to 0 after a restart. */
export function steady(samples: readonly Sample[]): Sample[] {
  const found: Sample[] = []
  let base: Sample | undefined
  for (const [i, sample] of samples.entries()) {
    const before = samples[i - 1]
    if (before && hasRestarted(before, sample)) base = found.at(-1)
    found.push(base ? sum(sample, base) : sample)
  }
  return found
}

/** Counters begin at 0 again with the process. */
function hasRestarted(before: Sample, now: Sample): boolean {
  return namesOf(now).some((name) => now.counters[name] < before.counters[name])
}

function sum(sample: Sample, base: Sample): Sample {
  const counters = namesOf(sample).map((name) => [name, sample.counters[name] + base.counters[name]] as const)
  return {
    ...sample,
    counters: Object.fromEntries(counters) as unknown as Counters,
    buckets: sample.buckets.map(({ le, count }, i) => ({ le, count: count + (base.buckets[i]?.count ?? 0) })),
  }
}

const namesOf = ({ counters }: Sample): (keyof Counters)[] => Object.keys(counters) as (keyof Counters)[]

const less = (now: readonly Bucket[], before: readonly Bucket[]): Bucket[] =>
  now.map(({ le, count }, i) => ({ le, count: count - (before[i]?.count ?? 0) }))

/** `from` is the last sample at or before the beginning of the window; without one, the first there is. */
function windows(
  samples: readonly Sample[],
  lengthMs: number,
  read: (from: Sample, to: Sample) => number | null,
): Point[] {
  let from = 0
  return samples.slice(1).map((to) => {
    while ((samples[from + 1]?.at ?? Infinity) <= to.at - lengthMs) from += 1
    return { at: to.at, value: read(samples[from] ?? to, to) }
  })
}
