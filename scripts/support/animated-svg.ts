import type { Run } from './screen-rows.ts'

export interface TimedScreen {
  readonly atMs: number
  readonly rows: readonly (readonly Run[])[]
}

const FONT = 14
const ADVANCE = FONT * 0.6
const LINE = 19
const EDGE = 16
const TOP = 34

export interface Film {
  readonly screens: readonly TimedScreen[]
  readonly lengthMs: number
  /** said to who cannot see it */
  readonly label: string
  readonly cols: number
  readonly rows: number
}

/**
 * Screens one below the other, of which a window shows one at a time, moved by CSS: no scripts, no fonts from elsewhere.
 * A row that comes again is drawn once.
 */
export function animatedSvg({ screens, lengthMs, label, cols, rows }: Film): string {
  const width = Math.ceil(cols * ADVANCE + 2 * EDGE)
  const height = rows * LINE + TOP + EDGE
  const known = new Map<string, number>()
  const frames = screens.map(({ rows: lines }, at) => {
    const used = lines.flatMap((runs, row) => {
      if (runs.length === 0) return []
      const drawn = runs.map(runText).join('')
      if (!known.has(drawn)) known.set(drawn, known.size)
      return [`<use href="#${name(known.get(drawn) ?? 0)}" y="${row * LINE}"/>`]
    })
    return `<g transform="translate(0 ${at * height})">${used.join('')}</g>`
  })
  const steps = screens.map(({ atMs }, at) => {
    const percent = at === 0 ? 0 : (atMs / lengthMs) * 100
    return `${percent.toFixed(2)}%{transform:translateY(${-at * height}px)}`
  })
  const last = `translateY(${-(screens.length - 1) * height}px)`
  const defs = [...known].map(([drawn, at]) => `<text id="${name(at)}" y="${FONT}">${drawn}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">
<style>
text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d6dae0;white-space:pre}
.bold{font-weight:700;fill:#fff}.dim{opacity:.6}.italic{font-style:italic}.under{text-decoration:underline}
.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.cyan{fill:#76d9e6}.cursor{fill:#8b949e}
.film{animation:film ${(lengthMs / 1000).toFixed(1)}s step-end infinite}
@keyframes film{${steps.join('')}}
@media (prefers-reduced-motion:reduce){.film{animation:none;transform:${last}}}
</style>
<defs><clipPath id="window"><rect width="${width - 2 * EDGE}" height="${height - TOP}"/></clipPath>${defs.join('')}</defs>
<rect width="${width}" height="${height}" rx="10" fill="#0f141b"/>
<g fill="#3a424d"><circle cx="20" cy="17" r="5"/><circle cx="38" cy="17" r="5"/><circle cx="56" cy="17" r="5"/></g>
<g transform="translate(${EDGE} ${TOP})"><g clip-path="url(#window)"><g class="film">
${frames.join('\n')}
</g></g></g>
</svg>
`
}

const name = (at: number): string => `r${at.toString(36)}`

function runText({ column, text, look }: Run): string {
  const x = column === 0 ? '' : ` x="${(column * ADVANCE).toFixed(1)}"`
  const seen = look === '' ? '' : ` class="${look}"`
  return `<tspan${x === '' ? ' x="0"' : x}${seen}>${escaped(text)}</tspan>`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
