import { describe, expect, test } from 'vitest'
import { latency, perMinute, quantile, steady } from './over-time.ts'
import type { Sample } from './sample.ts'

const BOUNDS = [1, 2, 4, Infinity]

/** A sample with this many rounds ended, each in so many seconds. */
function sample(seconds: number, ended: number, { cpu = seconds, took = [] as number[] } = {}): Sample {
  return {
    at: seconds * 1000,
    counters: { ended, failed: 0, tokens: ended * 10, cost: 0, cpu },
    buckets: BOUNDS.map((le) => ({ le, count: took.filter((time) => time <= le).length })),
    streams: 0,
  }
}

const values = (points: readonly { value: number | null }[]): (number | null)[] => points.map(({ value }) => value)

describe('how much a counter grew in a minute', () => {
  test('is not told before there are two samples', () => {
    expect(perMinute([], 'ended')).toEqual([])
    expect(perMinute([sample(0, 7)], 'ended')).toEqual([])
  })

  test('does not count what happened before the first sample', () => {
    expect(values(perMinute([sample(0, 100), sample(2, 100), sample(4, 103)], 'ended'))).toEqual([0, 3])
  })

  test('forgets what is older than a minute', () => {
    const samples = [sample(0, 0), sample(2, 5), sample(30, 6), sample(61, 6), sample(63, 6), sample(100, 6)]
    expect(values(perMinute(samples, 'ended'))).toEqual([5, 6, 6, 1, 0])
  })

  test('counts each counter for itself', () => {
    expect(values(perMinute([sample(0, 1), sample(2, 3)], 'tokens'))).toEqual([20])
  })

  test('goes on across a restart of the server, where counters begin at 0', () => {
    const samples = [sample(0, 100), sample(2, 104), sample(4, 3, { cpu: 0.1 }), sample(6, 5, { cpu: 0.2 })]
    expect(values(perMinute(steady(samples), 'ended'))).toEqual([4, 7, 9])
  })

  test('goes on across two restarts', () => {
    const samples = [sample(0, 100), sample(2, 3, { cpu: 0.1 }), sample(4, 1, { cpu: 0 }), sample(6, 2, { cpu: 0.1 })]
    expect(values(perMinute(steady(samples), 'ended'))).toEqual([3, 4, 5])
  })

  test('notices a restart after which a counter is already higher than before', () => {
    const samples = [sample(0, 2, { cpu: 900 }), sample(2, 5, { cpu: 1 })]
    expect(values(perMinute(steady(samples), 'ended'))).toEqual([5])
  })
})

describe('a quantile of a histogram', () => {
  const buckets = (...counts: number[]) => BOUNDS.map((le, i) => ({ le, count: counts[i] ?? 0 }))

  test('is nothing where nothing was counted', () => {
    expect(quantile(buckets(0, 0, 0, 0), 0.5)).toBeNull()
    expect(quantile([], 0.5)).toBeNull()
  })

  test('lies within its bucket, as far in as its rank', () => {
    expect(quantile(buckets(10, 10, 10, 10), 0.5)).toBe(0.5)
    expect(quantile(buckets(0, 10, 10, 10), 0.5)).toBe(1.5)
    expect(quantile(buckets(5, 5, 10, 10), 0.75)).toBe(3)
  })

  test('is the last bound where more was counted than any bound has', () => {
    expect(quantile(buckets(0, 0, 0, 3), 0.5)).toBe(4)
  })
})

describe('latency', () => {
  test('is of the rounds of the last five minutes only, and nothing where none ended', () => {
    const samples = [
      sample(0, 1, { took: [0.5] }),
      sample(2, 2, { took: [0.5, 3] }),
      sample(200, 2, { took: [0.5, 3] }),
      sample(303, 2, { took: [0.5, 3] }),
    ]
    expect(values(latency(samples, 0.5))).toEqual([3, 3, null])
  })

  test('goes on across a restart', () => {
    const samples = [
      sample(0, 9, { took: [3, 3, 3, 3, 3, 3, 3, 3, 3] }),
      sample(2, 9, { took: [3, 3, 3, 3, 3, 3, 3, 3, 3] }),
      sample(4, 1, { cpu: 0.1, took: [1.5] }),
    ]
    expect(values(latency(steady(samples), 1))).toEqual([null, 2])
  })
})
