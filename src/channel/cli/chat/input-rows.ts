import { visible } from '../../../lib/visible.ts'
import { columnsOf, graphemes } from './columns.ts'
import { shownText } from './safe-text.ts'

export interface InputRows {
  readonly rows: readonly string[]
  /** where the cursor is */
  readonly row: number
  readonly column: number
}

/** A text as it is written: its rows behind a prompt, at most `most` of them, around the cursor. */
export function inputRows(text: string, cursor: number, prompt: string, width: number, most: number): InputRows {
  const room = Math.max(width - columnsOf(prompt), 4)
  const indent = ' '.repeat(columnsOf(prompt))
  const rows: string[] = ['']
  let column = 0
  let place = { row: 0, column: 0 }
  let at = 0
  const next = (): void => {
    rows.push('')
    column = 0
  }
  for (const one of graphemes(text)) {
    const shown = one === '\n' ? '' : shownText(one) || visible(one)
    const columns = columnsOf(shown)
    if (column + columns > room) next()
    if (at === cursor) place = { row: rows.length - 1, column }
    at += one.length
    if (one === '\n') next()
    rows[rows.length - 1] += shown
    column += columns
  }
  if (at === cursor) {
    if (column >= room) next()
    place = { row: rows.length - 1, column }
  }
  const from = Math.max(0, place.row - most + 1)
  const window = rows.slice(from, from + most)
  return {
    rows: window.map((row, index) => (from + index === 0 ? prompt : indent) + row),
    row: place.row - from,
    column: columnsOf(prompt) + place.column,
  }
}
