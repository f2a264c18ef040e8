import type { TestTerminal } from '../../tests/terminal/support/pty.ts'

/** A stretch of a row that looks the same: where it begins, and how it looks. */
export interface Run {
  readonly column: number
  readonly text: string
  readonly look: string
}

const COLOURS: Readonly<Record<number, string>> = { 1: 'red', 2: 'green', 3: 'yellow', 6: 'cyan' }

type Emulator = TestTerminal['emulator']
type Cell = NonNullable<ReturnType<NonNullable<ReturnType<Emulator['buffer']['active']['getLine']>>['getCell']>>

/** What is on the screen of an emulator, with its colours; the cursor is a run of its own. */
export function screenRows({ buffer: { active }, rows, cols }: Emulator): Run[][] {
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row)
    const runs: Run[] = []
    for (let column = 0; column < cols; column++) {
      const cell = line?.getCell(column)
      if (!cell || cell.getWidth() === 0) continue
      const look = lookOf(cell)
      const last = runs.at(-1)
      const text = cell.getChars() || ' '
      if (last?.look === look) runs[runs.length - 1] = { ...last, text: last.text + text }
      else runs.push({ column, text, look })
    }
    const shown = runs.map((run) => ({ ...run, text: run.text.trimEnd() })).filter(({ text }) => text !== '')
    if (row === active.cursorY) shown.push({ column: active.cursorX, text: '█', look: 'cursor' })
    return shown
  })
}

function lookOf(cell: Cell): string {
  const colour = cell.isFgPalette() ? COLOURS[cell.getFgColor()] : undefined
  return [
    colour,
    cell.isBold() && 'bold',
    cell.isDim() && 'dim',
    cell.isItalic() && 'italic',
    cell.isUnderline() && 'under',
  ]
    .filter(Boolean)
    .join(' ')
}
