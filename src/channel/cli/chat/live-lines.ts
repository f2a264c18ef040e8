import { runningLine, SPINNER, type ShownCall } from './call-line.ts'
import { columnsOf, cutTo } from './columns.ts'
import { inputRows } from './input-rows.ts'
import type { Paint } from './paint.ts'
import { oneLine, shownText } from './safe-text.ts'
import type { Live } from './screen.ts'
import type { Sender } from './sender.ts'
import type { Transcript } from './transcript.ts'
import { wrapped } from './wrap.ts'

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
/** more than any screen has columns */
const LONGEST_LINE = 1000

/** What is going on, in a word or two. */
export function doingWords(
  { isStopping, isSending }: Pick<Sender, 'isStopping' | 'isSending'>,
  { open, pending, later, writing }: Pick<Transcript, 'open' | 'pending' | 'later' | 'writing'>,
): string {
  if (isStopping) return 'stopping'
  if (isSending) return 'sending'
  if (open?.state === 'paused') return 'paused'
  if (pending.length > 0) return 'waits for a decision'
  if (later.length > 0) return `waits for the result of ${later.map(({ name }) => name).join(', ')}`
  return writing === undefined ? 'answering' : `calling ${writing}`
}

/** What stands under the transcript: what runs, what waits, and the line that is being written. Any of it may be anything. */
export function liveLines(scene: Scene, now: number, width: number, rows: number, paint: Paint): Live {
  const { busy, running, queue, hint, question, input } = scene
  const sign = SPINNER[Math.floor(now / 100) % SPINNER.length] ?? ''
  const above = [
    '',
    ...running.slice(0, MOST_CALLS).map((call) => runningLine(call, sign, width, paint)),
    ...(running.length > MOST_CALLS ? [paint('dim', `  and ${running.length - MOST_CALLS} more calls`)] : []),
    ...(busy
      ? [paint('dim', cutTo(`${sign} ${oneLine(busy.doing)}${seconds(now - busy.sinceMs)} · Ctrl-C stops`, width))]
      : []),
    ...queue.map((text) => paint('dim', cutTo(`  next: ${oneLine(text.slice(0, LONGEST_LINE))}`, width))),
    ...(hint === undefined ? [] : [paint('careful', cutTo(oneLine(hint), width))]),
  ].slice(-Math.max(rows - 4, 1))
  if (question !== undefined) {
    const asked = question.split('\n').flatMap((line) => wrapped(shownText(line), () => width - 1).split('\n'))
    const shown = above.slice(1)
    return {
      lines: [...shown, ...asked],
      row: shown.length + asked.length - 1,
      column: columnsOf(asked.at(-1) ?? '') + 1,
    }
  }
  // A long text leaves room for what was said.
  const most = Math.max(Math.min(rows - above.length - 2, Math.floor(rows / 2)), 1)
  const prompt = `${cutTo(oneLine(input.prompt), Math.floor(width / 2))} `
  const { rows: written, row, column } = inputRows(input.text, input.cursor, prompt, width, most)
  return { lines: [...above, ...written], row: above.length + row, column }
}

const seconds = (ms: number): string => (ms < 1000 ? '' : ` · ${Math.floor(ms / 1000)} s`)
