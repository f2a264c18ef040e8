import { isDeepStrictEqual } from 'node:util'
import { columnsOf } from './columns.ts'

/** The part under the transcript that is redrawn, and the cursor in it. */
export interface Live {
  /** none wider than the screen */
  readonly lines: readonly string[]
  readonly row: number
  readonly column: number
}

export interface Screen {
  /** the columns to use for text */
  width(): number
  readonly rows: number
  /** Appends to the transcript; the text may end inside a line. */
  write(text: string): void
  show(live: Live): void
  resized(): void
  clear(): void
  /** Removes the part under the transcript. */
  close(): void
}

export interface Out {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

const NOTHING: Live = { lines: [], row: 0, column: 0 }
const WIDEST = 120

export const widthOf = (out: Out): number => Math.max(Math.min((out.columns ?? 80) - 1, WIDEST), 20)

/** A transcript that only grows, and below it lines that are redrawn. */
export function createScreen(out: Out): Screen {
  /** the last line of the transcript, while it is incomplete */
  let tail = ''
  let live = NOTHING
  let drawn: { lines: readonly string[]; row: number } = { lines: [], row: 0 }
  /** complete lines of the transcript that are not drawn yet */
  let whole = ''
  let isDue = false

  /** A terminal that became narrower has wrapped lines that are too long now. */
  function rowsOf(lines: readonly string[]): number {
    const columns = Math.max(out.columns ?? 80, 1)
    return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(columnsOf(withoutTints(line)) / columns)), 0)
  }

  /** Draws once for all changes of a tick. */
  function drawSoon(): void {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      if (isDue) draw()
    })
  }

  /** In one write, so that it does not flicker. */
  function draw(): void {
    isDue = false
    const start = up(rowsOf(drawn.lines.slice(0, drawn.row)))
    const lines = tail === '' ? live.lines : [tail, ...live.lines]
    const row = live.row + (tail === '' ? 0 : 1)
    const isEmpty = live.lines.length === 0
    const back = isEmpty ? '' : `${up(rowsOf(lines.slice(row + 1)))}\r${right(live.column)}\x1b[?25h`
    out.write(`\x1b[?25l${start}\r\x1b[J${crlf(whole)}${lines.join('\r\n')}${back}`)
    whole = ''
    drawn = { lines, row: isEmpty ? Math.max(lines.length - 1, 0) : row }
  }

  return {
    width: () => widthOf(out),
    get rows() {
      return out.rows ?? 24
    },
    write(text) {
      const end = text.lastIndexOf('\n') + 1
      if (end > 0) whole += tail + text.slice(0, end)
      tail = end === 0 ? tail + text : text.slice(end)
      drawSoon()
    },
    show(next) {
      if (isDeepStrictEqual(next, live)) return
      live = next
      drawSoon()
    },
    resized: draw,
    clear() {
      drawn = { lines: [], row: 0 }
      out.write('\x1b[2J\x1b[H')
      draw()
    },
    close() {
      live = NOTHING
      if (tail !== '') whole += `${tail}\n`
      tail = ''
      draw()
      out.write('\x1b[?25h')
    },
  }
}

/** For a terminal that cannot move its cursor: only the transcript. */
export function createPlainScreen(out: Out): Screen {
  let isMidLine = false
  return {
    width: () => widthOf(out),
    rows: 24,
    write(text) {
      if (text === '') return
      isMidLine = !text.endsWith('\n')
      out.write(text)
    },
    show() {},
    resized() {},
    clear() {},
    close() {
      if (isMidLine) out.write('\n')
    },
  }
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '')
const right = (columns: number): string => (columns > 0 ? `\x1b[${columns}C` : '')
const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
// oxlint-disable-next-line no-control-regex
const withoutTints = (text: string): string => text.replaceAll(/\x1b\[[\d;]+m/g, '')
