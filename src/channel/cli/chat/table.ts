import { columnsOf } from './columns.ts'
import { readInline } from './inline.ts'
import type { Paint } from './paint.ts'
import { createWrapper } from './wrap.ts'

/** A table in columns, or where it is too wide for that, each row as a list of its cells. */
export function tableLines(rows: readonly string[], width: number, paint: Paint): string[] {
  const [head = [], ...body] = rows.filter((row) => !/^\s*\|?[\s:|-]+\|?\s*$/.test(row)).map(cellsOf)
  const all = [head, ...body]
  const widths = head.map((_, at) => Math.max(...all.map((row) => columnsOf(row[at] ?? ''))))
  const total = widths.reduce((sum, one) => sum + one + 3, -3)
  if (total > width) return body.length === 0 ? wrapped(head.join(' · '), width) : asLists(head, body, width)
  const line = (row: readonly string[]): string =>
    head.map((_, at) => (row[at] ?? '') + ' '.repeat((widths[at] ?? 0) - columnsOf(row[at] ?? ''))).join(' │ ')
  const rule = widths.map((one) => '─'.repeat(one)).join('─┼─')
  return [paint('bold', line(head)), paint('dim', rule), ...body.map((row) => line(row).trimEnd())]
}

function asLists(head: readonly string[], body: readonly (readonly string[])[], width: number): string[] {
  return body.flatMap((row) =>
    row.flatMap((cell, at) => wrapped(`${at === 0 ? '• ' : '  '}${head[at] ?? ''}: ${cell}`, width)),
  )
}

function wrapped(text: string, width: number): string[] {
  let out = ''
  const wrapper = createWrapper(
    () => width,
    (part) => (out += part),
  )
  wrapper.begin('', '    ')
  wrapper.add(text)
  wrapper.flush()
  return out.split('\n')
}

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
