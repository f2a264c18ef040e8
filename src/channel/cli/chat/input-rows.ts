import { visible } from '../../../lib/visible.ts'
import { columnsOf, graphemeAt, graphemes } from './columns.ts'
import { shownText } from './safe-text.ts'

/** At most `most` rows around the cursor. Only the text near the cursor is read: this runs for each key. */
export function inputRows(whole: string, wholeCursor: number, prompt: string, width: number, most: number) {
  const room = Math.max(width - columnsOf(prompt), 4)
  const start = near(whole, wholeCursor, room * most)
  const text = whole.slice(start, wholeCursor + room * (most + 1))
  const cursor = wholeCursor - start
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
    rows: window.map((row, index) => (start + from + index === 0 ? prompt : indent) + row),
    row: place.row - from,
    column: columnsOf(prompt) + place.column,
  }
}

/** An index at least a screen before the cursor; it stays the same while somebody types. */
function near(text: string, cursor: number, screen: number): number {
  const place = (Math.floor(cursor / screen) - 1) * screen
  return place <= 0 ? 0 : (graphemeAt(text, place)?.start ?? 0)
}
