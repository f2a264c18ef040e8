/** The text format of Prometheus, version 0.0.4: counters, gauges and histograms that render themselves. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface Description {
  readonly name: string
  readonly help: string
}

/** A label and the values it may have: whatever else is given becomes `other`, so that series stay few. */
export interface Label {
  readonly name: string
  /** shown with 0 from the start */
  readonly values: readonly string[]
  allows(value: string): boolean
}

export interface Counter {
  add(by: number, ...values: string[]): void
  text(): string
}

export interface Histogram {
  observe(value: number, ...values: string[]): void
  text(): string
}

export interface Reading {
  text(): string
}

export function oneOf(name: string, values: readonly string[]): Label {
  const known = new Set(values)
  return { name, values, allows: (value) => known.has(value) }
}

export function known(name: string, allows: (value: string) => boolean): Label {
  return { name, values: [], allows }
}

/** For values that come from a list nobody has written down: of the right form, and the first `most` of them. */
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

export function counter(description: Description, ...labels: Label[]): Counter {
  const series = seriesOf(labels, () => ({ value: 0 }))
  return {
    add(by, ...values) {
      if (by > 0) series.of(values).value += by
    },
    text: () =>
      family(
        description,
        'counter',
        series.all().map(({ pairs, value }) => line(description.name, braces(pairs), value)),
      ),
  }
}

/** A value that is read when it is asked for. */
export function reading(
  description: Description,
  type: 'gauge' | 'counter',
  read: () => number,
  labels: Readonly<Record<string, string>> = {},
): Reading {
  const key = braces(Object.entries(labels))
  return { text: () => family(description, type, [line(description.name, key, read())]) }
}

/** `bounds` are upper bounds in growing order; what is above all of them is counted under +Inf. */
export function histogram(description: Description, bounds: readonly number[], ...labels: Label[]): Histogram {
  // Of each bound alone; they are added up when rendered.
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
    observe(value, ...values) {
      if (!Number.isFinite(value)) return
      const one = series.of(values)
      const at = bounds.findIndex((bound) => value <= bound)
      if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1
      one.count += 1
      one.sum += Math.max(0, value)
    },
    text: () => family(description, 'histogram', series.all().flatMap(lines)),
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

/** What is counted for each combination of values. Counting happens with every event, writing down only when asked. */
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

/** Every combination of what the labels may be, if all of them say so in advance. */
function combinations(labels: readonly Label[]): string[][] {
  if (labels.some(({ values }) => values.length === 0)) return []
  return labels.reduce<string[][]>((rows, { values }) => rows.flatMap((row) => values.map((v) => [...row, v])), [[]])
}
