import { count, duration, money } from '../../parts/format.ts'
import { Loading, Trouble } from '../faces.tsx'
import { useSamples } from './keep-samples.ts'
import { gauge, latency, perMinute, type Point } from './over-time.ts'
import type { Sample } from './sample.ts'
import { Sparkline } from './sparkline.tsx'

interface Chart {
  readonly title: string
  /** what the number is of */
  readonly unit: string
  readonly none: string
  points(samples: readonly Sample[]): Point[]
  show(value: number): string
}

const seconds = (value: number): string => duration(value * 1000)
const MINUTE = 'in the last minute'
const FIVE = 'of the rounds that ended in the last 5 minutes'

const CHARTS: readonly Chart[] = [
  { title: 'Rounds ended', unit: MINUTE, none: '', points: (all) => perMinute(all, 'ended'), show: count },
  { title: 'Rounds failed', unit: MINUTE, none: '', points: (all) => perMinute(all, 'failed'), show: count },
  {
    title: 'Median time',
    unit: FIVE,
    none: 'no round ended in the last 5 minutes',
    points: (all) => latency(all, 0.5),
    show: seconds,
  },
  {
    title: 'Slowest 5 %',
    unit: FIVE,
    none: 'no round ended in the last 5 minutes',
    points: (all) => latency(all, 0.95),
    show: seconds,
  },
  { title: 'Tokens', unit: MINUTE, none: '', points: (all) => perMinute(all, 'tokens'), show: count },
  { title: 'Cost', unit: MINUTE, none: '', points: (all) => perMinute(all, 'cost'), show: (value) => money(value) },
  { title: 'Open streams', unit: 'now', none: '', points: (all) => gauge(all, ({ streams }) => streams), show: count },
]

/** What this server does, over the last ten minutes somebody looked. */
export function Charts() {
  const { samples, error } = useSamples()
  if (samples.length === 0) return error === undefined ? <Loading /> : <Trouble error={error} />
  return (
    <>
      {error !== undefined && <Trouble error={error} />}
      <ul className="op-charts">
        {CHARTS.map((chart) => (
          <ChartCard key={chart.title} chart={chart} samples={samples} />
        ))}
      </ul>
      <p className="muted op-note">
        {samples.length < 2
          ? 'Watching since now; lines need two readings, two seconds apart.'
          : `Watched for ${duration((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0))}, at most the last 10 minutes. Rounds of all tenants of this process; times do not count waiting for people.`}
      </p>
    </>
  )
}

function ChartCard({
  chart: { title, unit, none, points, show },
  samples,
}: {
  chart: Chart
  samples: readonly Sample[]
}) {
  const line = points(samples)
  const values = line.flatMap(({ value }) => (value === null ? [] : [value]))
  const now = line.at(-1)?.value
  const current = now == null ? (line.length === 0 ? '…' : '–') : show(now)
  const words = now === null ? none : unit
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
