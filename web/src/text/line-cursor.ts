/** A place in a line, counted in columns: a tab reaches to the next multiple of four and may be used up in part. */
export type LineCursor = { line: string; at: number; column: number; spare: number }

export function startOfLine(line: string): LineCursor {
  return { line, at: 0, column: 0, spare: 0 }
}

/** How many columns of space come next. */
export function indentAt(cursor: LineCursor): number {
  let column = cursor.column + cursor.spare
  for (let at = cursor.at; ; at++) {
    if (cursor.line[at] === ' ') column++
    else if (cursor.line[at] === '\t') column += 4 - (column % 4)
    else return column - cursor.column
  }
}

/** Goes past so many columns of space, or as many as there are. */
export function dropIndent(cursor: LineCursor, columns: number): void {
  const goal = cursor.column + columns
  while (cursor.column < goal) {
    if (cursor.spare === 0) {
      const char = cursor.line[cursor.at]
      if (char !== ' ' && char !== '\t') return
      cursor.spare = char === ' ' ? 1 : 4 - (cursor.column % 4)
      cursor.at++
    }
    cursor.spare--
    cursor.column++
  }
}

/** Goes past so many characters that are not space. */
export function dropCharacters(cursor: LineCursor, count: number): void {
  cursor.at += count
  cursor.column += count
}

/** What is left of the line. */
export function restOf(cursor: LineCursor): string {
  return ' '.repeat(cursor.spare) + cursor.line.slice(cursor.at)
}
