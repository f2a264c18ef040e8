interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly samples: readonly Sample[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/
const TYPES = ['counter', 'gauge', 'histogram']

/**
 * Reads the text format of Prometheus and throws at the first thing a strict scraper could mind: families that are not
 * introduced by HELP and TYPE or come twice, bad names, bad escapes, series that come twice, counters that do not say
 * so, and histograms whose buckets do not add up.
 */
export function parseExposition(text: string): ReadonlyMap<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, MetricFamily & { samples: Sample[] }>()
  const lines = text.slice(0, -1).split('\n')
  let family: (MetricFamily & { samples: Sample[] }) | undefined
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const fail = (why: string): never => {
      throw new Error(`line ${i + 1} ${why}: ${line}`)
    }
    if (line.startsWith('# HELP ')) {
      const [, name = '', help = ''] = /^# HELP (\S+) (\S.*)$/.exec(line) ?? fail('is no help')
      const [, typed, type = ''] = /^# TYPE (\S+) (\S+)$/.exec(lines[++i] ?? '') ?? fail('is not followed by a type')
      if (!NAME.test(name) || typed !== name) fail('has a bad name')
      if (!TYPES.includes(type)) fail('has a type that does not exist')
      if (families.has(name)) fail('comes twice')
      if (type === 'counter' && !name.endsWith('_total')) fail('is a counter and does not say so')
      if (/\\(?![\\n])/.test(help.replaceAll('\\\\', ''))) fail('has a bad escape')
      families.set(name, (family = { name, help, type, samples: [] }))
    } else {
      const sample = parseSample(line, fail)
      if (!family || !belongs(sample.name, family)) fail('stands outside its family')
      const same = family?.samples.some((other) => seriesOf(other) === seriesOf(sample))
      if (same) fail('comes twice')
      family?.samples.push(sample)
    }
  }
  for (const one of families.values()) checkFamily(one)
  return families
}

/** The value of one series; undefined if there is none. */
export function valueOf(
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  const wanted = seriesOf({ name, labels, value: 0 })
  return family?.samples.find((sample) => seriesOf(sample) === wanted)?.value
}

function parseSample(line: string, fail: (why: string) => never): Sample {
  const [, name = '', inside, value = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? fail('is no sample')
  if (!NAME.test(name)) fail('has a bad name')
  if (!NUMBER.test(value)) fail('has a bad value')
  const labels: Record<string, string> = {}
  let rest = inside ?? ''
  if (inside === '') fail('has empty braces')
  while (rest !== '') {
    const [whole, label = '', escaped = ''] =
      /^([^=,]+)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/.exec(rest) ?? fail('has a bad label')
    if (!LABEL_NAME.test(label) || label.startsWith('__') || label in labels) fail('has a bad label name')
    labels[label] = escaped.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
    rest = rest.slice(whole.length)
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}

function belongs(name: string, { name: family, type }: MetricFamily): boolean {
  if (type !== 'histogram') return name === family
  return [`${family}_bucket`, `${family}_sum`, `${family}_count`].includes(name)
}

function checkFamily(family: MetricFamily): void {
  const { name, type, samples } = family
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} counts below 0`)
  if (type === 'histogram') checkHistogram(family)
  else if (samples.some(({ labels }) => 'le' in labels)) throw new Error(`${name} has a bound but is no histogram`)
}

function checkHistogram({ name, samples }: MetricFamily): void {
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = textOf(labels)
    groups.set(key, [...(groups.get(key) ?? []), sample])
  }
  for (const [key, group] of groups) {
    const fail = (why: string): never => {
      throw new Error(`${name}${key} ${why}`)
    }
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number((labels['le'] ?? '').replace('Inf', 'Infinity')))
    const counts = buckets.map(({ value }) => value)
    const one = (suffix: string): number => {
      const found = group.filter((sample) => sample.name === `${name}_${suffix}`)
      return found.length === 1 ? (found[0]?.value ?? NaN) : fail(`does not have one ${suffix}`)
    }
    if (bounds.at(-1) !== Infinity) fail('has no last bucket +Inf')
    if (!bounds.every((bound, i) => i === 0 || bound > (bounds[i - 1] ?? NaN))) fail('has bounds that do not grow')
    if (!counts.every((count, i) => i === 0 || count >= (counts[i - 1] ?? NaN)))
      fail('has buckets that are not cumulative')
    if (counts.at(-1) !== one('count')) fail('has a count that is not its last bucket')
    if (!(one('sum') >= 0)) fail('has no sum')
  }
}

const seriesOf = ({ name, labels }: Sample): string => `${name}${textOf(labels)}`

/** The same for the same labels, in whatever order they stand. */
function textOf(labels: Readonly<Record<string, string>>): string {
  const names = Object.keys(labels).toSorted((a, b) => (a < b ? -1 : 1))
  return JSON.stringify(names.map((name) => [name, labels[name]]))
}
