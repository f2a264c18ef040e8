import { columnsOf } from './columns.ts'

/** What stands under the transcript and changes: lines, and where the cursor is in them. */
export interface Live {
  /** as they are drawn, none wider than the screen */
  readonly lines: readonly string[]
  readonly row: number
  readonly column: number
}

export interface Screen {
  /** wide enough for text: some columns less than there are */
  width(): number
  readonly rows: number
  /** Adds to the transcript. It may end within a line and go on later. */
  write(text: string): void
  /** Shows this under the transcript from now on. */
  show(live: Live): void
  /** The size has changed: what is under the transcript is drawn anew. */
  resized(): void
  clear(): void
  /** Takes away what is under the transcript. */
  close(): void
}

/** The part of a terminal that is needed. */
export interface Out {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

const NOTHING: Live = { lines: [], row: 0, column: 0 }
const WIDEST = 120

export const widthOf = (out: Out): number => Math.max(Math.min((out.columns ?? 80) - 1, WIDEST), 20)

/** A transcript that only grows, and below it some lines that are drawn again and again. */
export function createScreen(out: Out): Screen {
  /** the last line of the transcript, if it has not ended */
  let tail = ''
  let live = NOTHING
  let drawn: { lines: readonly string[]; row: number } = { lines: [], row: 0 }
  /** lines of the transcript that are not drawn yet */
  let whole = ''
  let isDue = false

  /** How many rows some lines take: a terminal that has become narrower has broken those that are too long. */
  function rowsOf(lines: readonly string[]): number {
    const columns = Math.max(out.columns ?? 80, 1)
    return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(columnsOf(withoutTints(line)) / columns)), 0)
  }

  /** Whatever happens at once is drawn once. */
  function drawSoon(): void {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      if (isDue) draw()
    })
  }

  /** Everything in one write, so that nobody sees it half done. */
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
      if (isSame(next, live)) return
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

/** The same without a terminal that can move its cursor: only the transcript. */
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

const isSame = (a: Live, b: Live): boolean =>
  a.row === b.row &&
  a.column === b.column &&
  a.lines.length === b.lines.length &&
  a.lines.every((one, at) => one === b.lines[at])
const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '')
const right = (columns: number): string => (columns > 0 ? `\x1b[${columns}C` : '')
const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
// oxlint-disable-next-line no-control-regex
const withoutTints = (text: string): string => text.replaceAll(/\x1b\[\d+m/g, '')
