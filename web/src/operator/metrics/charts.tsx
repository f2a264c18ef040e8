import { count, duration, money, roughly } from '../../parts/format.ts'
import { Loading, Stale } from '../list-states.tsx'
import { useSamples } from './use-samples.ts'
import { gauge, latency, perMinute, steady, type Point } from './over-time.ts'
import type { Sample } from './sample.ts'
import { Sparkline } from './sparkline.tsx'

interface Chart {
  readonly title: string
  /** how far back the number goes; 0: now */
  readonly overMs: number
  points(samples: readonly Sample[]): Point[]
  show(value: number): string
}

const MINUTE = 60_000
const FIVE = 5 * MINUTE
const seconds = (value: number): string => duration(value * 1000)
const dollars = (value: number): string => money(value)

const CHARTS: readonly Chart[] = [
  { title: 'Rounds ended', overMs: MINUTE, points: (all) => perMinute(all, 'ended'), show: count },
  { title: 'Rounds failed', overMs: MINUTE, points: (all) => perMinute(all, 'failed'), show: count },
  { title: 'Median time', overMs: FIVE, points: (all) => latency(all, 0.5), show: seconds },
  { title: '95 % take at most', overMs: FIVE, points: (all) => latency(all, 0.95), show: seconds },
  { title: 'Tokens', overMs: MINUTE, points: (all) => perMinute(all, 'tokens'), show: count },
  { title: 'Cost', overMs: MINUTE, points: (all) => perMinute(all, 'cost'), show: dollars },
  { title: 'Readers connected', overMs: 0, points: (all) => gauge(all, ({ streams }) => streams), show: count },
]

/** Charts of the last ten minutes, as far as this page was open. */
export function Charts() {
  const { samples, error } = useSamples()
  if (samples.length === 0) return error === undefined ? <Loading /> : <Stale error={error} />
  const lasting = steady(samples)
  const watchedMs = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
  return (
    <>
      {error !== undefined && <Stale error={error} />}
      <ul className="op-charts">
        {CHARTS.map((chart) => (
          <ChartCard key={chart.title} chart={chart} samples={lasting} watchedMs={watchedMs} />
        ))}
      </ul>
      <p className="muted op-note">
        {samples.length < 2
          ? 'Watching since now: the first numbers come in two seconds.'
          : `Watched for ${roughly(watchedMs)}; ten minutes are kept. Rounds of everybody this server serves; time they waited for people does not count.`}
      </p>
    </>
  )
}

interface CardProps {
  readonly chart: Chart
  readonly samples: readonly Sample[]
  readonly watchedMs: number
}

function ChartCard({ chart: { title, overMs, points, show }, samples, watchedMs }: CardProps) {
  const line = points(samples)
  const values = line.flatMap(({ value }) => (value === null ? [] : [value]))
  const now = line.at(-1)?.value
  const current = now == null ? '–' : show(now)
  const span = overMs === 0 ? 'now' : `in the last ${roughly(Math.min(overMs, watchedMs))}`
  const words = now === null ? `no round ended ${span}` : line.length === 0 ? '' : span
  const [least, most] = [show(Math.min(...values)), show(Math.max(...values))]
  const range = values.length > 1 && least !== most ? `${least} – ${most}` : ''
  return (
    <li className="op-chart">
      <h3>{title}</h3>
      <p>
        <strong>{current}</strong> <span className="muted">{words}</span>
      </p>
      <Sparkline points={line} words={`${title}: ${current} ${words}${range && `, between ${range} since watching`}`} />
      <p className="muted op-range">{range || ' '}</p>
    </li>
  )
}
