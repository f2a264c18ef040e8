import type { Shown } from '../../../contract/shown.ts'
import { columnsOf, graphemes } from './columns.ts'
import type { Paint, Tint } from './paint.ts'
import { oneLine, shownText } from './safe-text.ts'

export type Span = readonly [text: string, tint?: Tint | undefined]

/** What a call would do, in at most `most` rows; `hidden` lines had no room. */
export function shownLines(shown: Shown, width: number, paint: Paint, most: number) {
  const { lines, indent } = linesOf(shown, width)
  const rows: string[] = []
  for (const [at, line] of lines.entries()) {
    for (const row of behindBar(line, indent, width, paint)) {
      if (rows.length >= most) return { rows, hidden: lines.length - at }
      rows.push(row)
    }
  }
  return { rows, hidden: 0 }
}

function linesOf(shown: Shown, width: number): { lines: readonly (readonly Span[])[]; indent: number } {
  switch (shown.kind) {
    case 'file': {
      const { diff } = shown
      const tint = (line: string): Tint | undefined => (diff === undefined ? undefined : SIGNS[line[0] ?? ''])
      const lines = (diff ?? shown.text.replace(/\n$/, '')).split('\n').map((line) => [[line, tint(line)]] as const)
      return { lines: diff === '' ? [] : lines, indent: diff === undefined ? 0 : 1 }
    }
    case 'command':
      return { lines: marked(shown), indent: 0 }
    case 'fields':
      return table(shown, width)
  }
}

const SIGNS: Readonly<Record<string, Tint>> = { '+': 'good', '-': 'bad', '@': 'code', '\\': 'dim' }

/** A command with its dangerous parts tinted. */
function marked({ text, dangers }: Extract<Shown, { kind: 'command' }>): Span[][] {
  const cuts = [0, ...dangers.flatMap(({ from, to }) => [from, to])].toSorted((a, b) => a - b)
  const lines: Span[][] = [[]]
  for (const [at, from] of cuts.entries()) {
    const tint = dangers.some((one) => one.from <= from && from < one.to) ? 'danger' : undefined
    const parts = text.slice(from, cuts[at + 1]).split('\n')
    for (const [part, words] of parts.entries()) {
      if (part > 0) lines.push([])
      lines.at(-1)?.push([words, tint])
    }
  }
  return lines
}

/** Names in a column; the value is beside its name, or below a long one. */
function table({ rows }: Extract<Shown, { kind: 'fields' }>, width: number) {
  const names = rows.map(({ name }) => oneLine(name))
  const most = Math.floor(width / 3)
  const indent = 2 + Math.max(0, ...names.map(columnsOf).filter((columns) => columns <= most))
  const lines = rows.flatMap(({ value }, at): Span[][] => {
    const name = names[at] ?? ''
    const gap = indent - columnsOf(name)
    const [first = '', ...others] = value.split('\n')
    const below = others.map((line): Span[] => [[' '.repeat(indent)], [line]])
    const start: Span = [name, 'bold']
    return gap < 2
      ? [[start], [[' '.repeat(indent)], [first]], ...below]
      : [[start, [' '.repeat(gap)], [first]], ...below]
  })
  return { lines, indent }
}

/** Behind a bar, so that foreign text cannot pose as ours. A broken bar marks a continued line. */
function behindBar(spans: readonly Span[], indent: number, width: number, paint: Paint): string[] {
  const room = Math.max(width - 4, 2 + indent)
  const rows: string[] = ['']
  let used = 0
  for (const [text, tint] of spans) {
    let run = ''
    const put = (): void => {
      rows[rows.length - 1] += tint ? paint(tint, run) : run
      run = ''
    }
    for (const one of graphemes(shownText(text))) {
      const columns = columnsOf(one)
      if (used + columns > room) {
        put()
        rows.push(' '.repeat(indent))
        used = indent
      }
      run += one
      used += columns
    }
    put()
  }
  return rows.map((row, at) => paint('dim', at === 0 ? '  │ ' : '  ┆ ') + row)
}
