/** One line of the text format of Prometheus: a name, its labels, a number. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/
const LABEL = /(?:^|,)([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g
const ESCAPED: Readonly<Record<string, string>> = { '\\\\': '\\', '\\"': '"', '\\n': '\n' }

/** Reads what can be read; a line of another form is left out. */
export function readExposition(text: string): Series[] {
  return text.split('\n').flatMap((line): Series[] => {
    const [, name, labels = '', number = ''] = LINE.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: readNumber(number) }]
  })
}

function readLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescaped(value)] as const)
  return Object.fromEntries(pairs)
}

const unescaped = (text: string): string => text.replaceAll(/\\./g, (pair) => ESCAPED[pair] ?? pair)

function readNumber(text: string): number {
  if (text === '+Inf') return Infinity
  return text === '-Inf' ? -Infinity : Number(text)
}
