import { runningLine, SPINNER, type ShownCall } from './call-line.ts'
import { cutTo } from './columns.ts'
import { inputRows } from './input-rows.ts'
import type { Paint } from './paint.ts'
import { oneLine } from './safe-text.ts'
import type { Live } from './screen.ts'
import { createWrapper } from './wrap.ts'

export interface Scene {
  /** a round is open or a message on its way: since when, and what it does */
  readonly busy?: { readonly sinceMs: number; readonly doing: string }
  readonly running: readonly ShownCall[]
  readonly queue: readonly string[]
  readonly hint?: string | undefined
  /** asked instead of the input */
  readonly question?: string | undefined
  readonly input: { readonly text: string; readonly cursor: number; readonly prompt: string }
}

const MOST_CALLS = 5

/** What stands under the transcript: what runs, what waits, and the line that is being written. */
export function liveLines(scene: Scene, now: number, width: number, rows: number, paint: Paint): Live {
  const { busy, running, queue, hint, question, input } = scene
  const sign = SPINNER[Math.floor(now / 100) % SPINNER.length] ?? ''
  const above = [
    '',
    ...running.slice(0, MOST_CALLS).map((call) => runningLine(call, sign, width, paint)),
    ...(running.length > MOST_CALLS ? [paint('dim', `  and ${running.length - MOST_CALLS} more calls`)] : []),
    ...(busy ? [paint('dim', cutTo(`${sign} ${busy.doing}${seconds(now - busy.sinceMs)} · Ctrl-C stops`, width))] : []),
    ...queue.map((text) => paint('dim', cutTo(`  next: ${oneLine(text)}`, width))),
    ...(hint === undefined ? [] : [paint('careful', cutTo(hint, width))]),
  ].slice(-Math.max(rows - 4, 1))
  if (question !== undefined) {
    const asked = lines(question, width)
    const shown = above.slice(1)
    return {
      lines: [...shown, ...asked],
      row: shown.length + asked.length - 1,
      column: (asked.at(-1)?.length ?? 0) + 1,
    }
  }
  const most = Math.max(rows - above.length - 2, 1)
  const { rows: written, row, column } = inputRows(input.text, input.cursor, input.prompt, width, most)
  return { lines: [...above, ...written], row: above.length + row, column }
}

const seconds = (ms: number): string => (ms < 1000 ? '' : ` · ${Math.floor(ms / 1000)} s`)

function lines(text: string, width: number): string[] {
  let out = ''
  const wrapper = createWrapper(
    () => width - 1,
    (part) => (out += part),
  )
  wrapper.begin('', '')
  wrapper.add(text)
  wrapper.flush()
  return out.split('\n')
}
