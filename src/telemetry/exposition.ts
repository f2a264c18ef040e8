/** The text format of Prometheus, version 0.0.4. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface Description {
  readonly name: string
  readonly help: string
}

/** A label with its allowed values; any other value becomes `other`, so that there are few series. */
export interface Label {
  readonly name: string
  /** shown with 0 from the start */
  readonly values: readonly string[]
  allows(value: string): boolean
}

export function oneOf(name: string, values: readonly string[]): Label {
  const known = new Set(values)
  return { name, values, allows: (value) => known.has(value) }
}

export function known(name: string, allows: (value: string) => boolean): Label {
  return { name, values: [], allows }
}

/** For values that are not known in advance: the first `most` of the right form. */
export function firstFew(name: string, form: RegExp, most: number): Label {
  const seen = new Set<string>()
  return {
    name,
    values: [],
    allows(value) {
      if (seen.has(value)) return true
      if (seen.size >= most || !form.test(value)) return false
      seen.add(value)
      return true
    },
  }
}

export function counter(description: Description, ...labels: Label[]) {
  const series = seriesOf(labels, () => ({ value: 0 }))
  return {
    add(by: number, ...values: string[]): void {
      if (by > 0) series.of(values).value += by
    },
    text(): string {
      const lines = series.all().map(({ pairs, value }) => line(description.name, braces(pairs), value))
      return family(description, 'counter', lines)
    },
  }
}

/** A value that is read at each scrape. */
export function reading(
  description: Description,
  type: 'gauge' | 'counter',
  read: () => number,
  labels: Readonly<Record<string, string>> = {},
) {
  const key = braces(Object.entries(labels))
  return { text: (): string => family(description, type, [line(description.name, key, read())]) }
}

/** `bounds` are ascending upper bounds; larger values count under +Inf. */
export function histogram(description: Description, bounds: readonly number[], ...labels: Label[]) {
  // Counts per bucket; they are summed up when rendered.
  const series = seriesOf(labels, () => ({ counts: bounds.map(() => 0), count: 0, sum: 0 }))

  function lines({ pairs, counts, count, sum }: ReturnType<typeof series.of>): string[] {
    const { name } = description
    const bucket = (bound: string, below: number): string =>
      line(`${name}_bucket`, braces([...pairs, ['le', bound]]), below)
    let below = 0
    return [
      ...bounds.map((bound, i) => bucket(number(bound), (below += counts[i] ?? 0))),
      bucket('+Inf', count),
      line(`${name}_sum`, braces(pairs), sum),
      line(`${name}_count`, braces(pairs), count),
    ]
  }

  return {
    observe(value: number, ...values: string[]): void {
      if (!Number.isFinite(value)) return
      const one = series.of(values)
      const at = bounds.findIndex((bound) => value <= bound)
      if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1
      one.count += 1
      one.sum += Math.max(0, value)
    },
    text: (): string => family(description, 'histogram', series.all().flatMap(lines)),
  }
}

function family({ name, help }: Description, type: string, lines: readonly string[]): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return [`# HELP ${name} ${escaped}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

const line = (name: string, labels: string, value: number): string => `${name}${labels} ${number(value)}`

function number(value: number): string {
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}

type Pair = readonly [name: string, value: string]

/** One entry per combination of label values; they are rendered only when scraped. */
function seriesOf<T extends object>(labels: readonly Label[], fresh: () => T) {
  const found = new Map<string, T & { readonly pairs: readonly Pair[] }>()
  function of(values: readonly string[]): T & { readonly pairs: readonly Pair[] } {
    let key = ''
    for (let i = 0; i < labels.length; i++) key += `${shown(labels[i] as Label, values[i])}\n`
    let one = found.get(key)
    if (!one) {
      const pairs = labels.map((label, i): Pair => [label.name, shown(label, values[i])])
      found.set(key, (one = { ...fresh(), pairs }))
    }
    return one
  }
  for (const values of combinations(labels)) of(values)
  return { of, all: () => [...found.values()] }
}

const shown = (label: Label, value = ''): string => (label.allows(value) ? value : 'other')

const braces = (pairs: readonly Pair[]): string =>
  pairs.length === 0 ? '' : `{${pairs.map(([name, value]) => `${name}="${escapeValue(value)}"`).join(',')}}`

const escapeValue = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value

/** Every combination of label values, if all labels list theirs. */
function combinations(labels: readonly Label[]): string[][] {
  if (labels.some(({ values }) => values.length === 0)) return []
  return labels.reduce<string[][]>((rows, { values }) => rows.flatMap((row) => values.map((v) => [...row, v])), [[]])
}
