import { cutTo } from './chat/columns.ts'
import { visible } from '../../lib/visible.ts'

interface Out {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const BAR = 24
/** Without a terminal, a line as often as this. */
const TELL_MS = 5000
/** A terminal is drawn no more often. */
const DRAW_MS = 80

/** A bar on a terminal, lines now and then elsewhere; what it shows is no part of the answer. */
export function progressBar(what: string, total: number, out: Out = process.stderr) {
  let shownAt = performance.now()
  let isDrawn = false

  function draw(done: number, name: string): void {
    const full = total === 0 ? BAR : Math.floor((BAR * done) / total)
    const text = `${what} ${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done}/${total} ${visible(name)}`
    const width = Math.max(20, (out.columns ?? 80) - 1)
    out.write(`\r\x1b[2K${cutTo(text, width)}`)
    isDrawn = true
  }

  return {
    /** `name`: what comes next */
    show(done: number, name: string): void {
      const now = performance.now()
      const isTerminal = out.isTTY === true
      if (isDrawn || !isTerminal) if (now - shownAt < (isTerminal ? DRAW_MS : TELL_MS)) return
      shownAt = now
      if (isTerminal) draw(done, name)
      else out.write(`${what}: ${done} of ${total} …\n`)
    },
    /** Takes the bar away. */
    end(): void {
      if (isDrawn) out.write('\r\x1b[2K')
    },
  }
}
