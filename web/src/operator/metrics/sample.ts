import { readExposition, type Series } from './read-exposition.ts'

/** What the charts need of one scrape. Names are those of src/telemetry/names.ts. */
export interface Sample {
  /** milliseconds since 1970 */
  readonly at: number
  /** only ever grow while the server runs */
  readonly counters: Counters
  /** how many ended rounds took at most `le` seconds; in growing order, the last one is all of them */
  readonly buckets: readonly Bucket[]
  readonly streams: number
}

export interface Counters {
  readonly ended: number
  readonly failed: number
  readonly tokens: number
  /** micro-dollars */
  readonly cost: number
  /** of the process; there to notice a restart */
  readonly cpu: number
}

export interface Bucket {
  readonly le: number
  readonly count: number
}

const FAILURES: ReadonlySet<string> = new Set(['error', 'timeout'])

export function readSample(text: string, at: number): Sample {
  const all = Map.groupBy(readExposition(text), ({ name }) => name)
  const of = (name: string): readonly Series[] => all.get(name) ?? []
  const ended = of('segno_rounds_ended_total')
  return {
    at,
    counters: {
      ended: sum(ended),
      failed: sum(ended.filter(({ labels }) => FAILURES.has(labels['finish_reason'] ?? ''))),
      tokens: sum(of('segno_tokens_total')),
      cost: sum(of('segno_cost_microdollars_total')),
      cpu: sum(of('process_cpu_seconds_total')),
    },
    buckets: of('segno_round_duration_seconds_bucket')
      .map(({ labels, value }) => ({ le: labels['le'] === '+Inf' ? Infinity : Number(labels['le']), count: value }))
      .sort((a, b) => a.le - b.le),
    streams: sum(of('segno_streams_active')),
  }
}

const sum = (series: readonly Series[]): number => series.reduce((total, { value }) => total + value, 0)
