import type { Point } from './over-time.ts'

const WIDTH = 240
const HEIGHT = 40
/** A line that has just begun is not squeezed into a dot. */
const LEAST_MS = 60_000

/** A small line chart that ends now; `words` describe it for screen readers. */
export function Sparkline({ points, words }: { points: readonly Point[]; words: string }) {
  const last = points.at(-1)?.at ?? 0
  const spanMs = Math.max(LEAST_MS, last - (points[0]?.at ?? last))
  const most = Math.max(...points.map(({ value }) => value ?? 0), 0) || 1
  const x = (at: number): string => (WIDTH - ((last - at) / spanMs) * WIDTH).toFixed(1)
  const y = (value: number): string => (HEIGHT - 1 - (value / most) * (HEIGHT - 3)).toFixed(1)
  const lines = stretches(points).map((stretch) => stretch.map(({ at, value }) => `${x(at)},${y(value)}`))
  return (
    <svg
      className="op-spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <line className="op-spark-floor" x1="0" y1={HEIGHT - 1} x2={WIDTH} y2={HEIGHT - 1} />
      {lines.map((line) => (
        // The first point twice: a line of one point would not be drawn.
        <polyline key={line[0]} points={`${line[0]} ${line.join(' ')}`} />
      ))}
    </svg>
  )
}

type Known = { readonly at: number; readonly value: number }

/** The line is broken where there is no value. */
function stretches(points: readonly Point[]): Known[][] {
  const found: Known[][] = [[]]
  for (const { at, value } of points) {
    if (value === null) found.push([])
    else found.at(-1)?.push({ at, value })
  }
  return found.filter(({ length }) => length > 0)
}
