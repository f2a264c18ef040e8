import { columnsOf } from './columns.ts'
import { readInline } from './inline.ts'
import type { Paint } from './paint.ts'
import { wrapped } from './wrap.ts'

const GAP = ' │ '
/** columns */
const NARROWEST = 12

/** Wraps cells if necessary; without room even for that, each row becomes a list. */
export function tableLines(rows: readonly string[], width: number, paint: Paint): string[] {
  const [head = [], ...body] = rows.filter((row) => !/^[\s:|-]+$/.test(row)).map(cellsOf)
  const natural: number[] = []
  for (const row of [head, ...body])
    for (const [at, cell] of row.entries()) natural[at] = Math.max(natural[at] ?? 0, columnsOf(cell))
  const widths = fitted(natural, width - GAP.length * (natural.length - 1))
  if (!widths) return asLists(head, body, width)
  const drawn = (row: readonly string[]): string[] => rowLines(row, widths)
  const rule = widths.map((one) => '─'.repeat(one)).join('─┼─')
  return [...drawn(head).map((line) => paint('bold', line)), paint('dim', rule), ...body.flatMap(drawn)]
}

/** Narrows the widest columns until all of them fit. */
function fitted(natural: readonly number[], room: number): number[] | undefined {
  if (natural.reduce((sum, one) => sum + Math.min(one, NARROWEST), 0) > room) return undefined
  const widths = [...natural]
  for (let total = widths.reduce((sum, one) => sum + one, 0); total > room; total--) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = widths.map((width, at) => lines(row[at] ?? '', width))
  const height = Math.max(...cells.map(({ length }) => length), 1)
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, at) => {
        const text = cells[at]?.[line] ?? ''
        return text + ' '.repeat(Math.max(width - columnsOf(text), 0))
      })
      .join(GAP)
      .trimEnd(),
  )
}

function asLists(head: readonly string[], body: readonly (readonly string[])[], width: number): string[] {
  if (body.length === 0) return lines(head.join(' · '), width)
  return body.flatMap((row) =>
    row.flatMap((cell, at) => lines(`${at === 0 ? '• ' : '  '}${head[at] ?? ''}: ${cell}`, width, '    ')),
  )
}

const lines = (text: string, width: number, indent = ''): string[] => wrapped(text, () => width, '', indent).split('\n')

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) =>
      readInline(cell.trim().replaceAll('\\|', '|'), true)
        .spans.map(({ text }) => text)
        .join(''),
    )
}
