import { runningLine, SPINNER, type ShownCall } from './call-line.ts'
import { columnsOf, cutTo } from './columns.ts'
import { inputRows } from './input-rows.ts'
import type { Paint } from './paint.ts'
import { oneLine, shownText } from './safe-text.ts'
import type { Live } from './screen.ts'
import type { Sender } from './sender.ts'
import type { OpenRound, Transcript } from './transcript.ts'
import { clockTime } from './words.ts'
import { wrapped } from './wrap.ts'

export interface Scene {
  /** set while a round is open or a message is being sent */
  readonly busy?: { readonly sinceMs: number; readonly doing: string }
  readonly running: readonly ShownCall[]
  readonly queue: readonly string[]
  readonly hint?: string | undefined
  /** without choices, the input line is below the question */
  readonly question?: { lines(width: number, most: number): readonly string[]; readonly choices?: string } | undefined
  readonly input: { readonly text: string; readonly cursor: number; readonly prompt: string }
}

const MOST_CALLS = 5
/** more than any screen has columns */
const LONGEST_LINE = 1000

export function doingWords(
  { isStopping, isSending }: Pick<Sender, 'isStopping' | 'isSending'>,
  { open, pending, later, writing }: Pick<Transcript, 'open' | 'pending' | 'later' | 'writing'>,
): string {
  if (isStopping) return 'stopping'
  if (isSending) return 'sending'
  if (open?.state === 'paused') return 'paused'
  if (pending.length > 0) return 'waits for a decision'
  if (later.length > 0) return laterWords(later, open?.waiting)
  return writing === undefined ? 'answering' : `calling ${writing}`
}

function laterWords(later: readonly ShownCall[], waiting: OpenRound['waiting']): string {
  const names = later.map(({ name }) => name).join(', ')
  const since = waiting === undefined ? '' : ` since ${clockTime(waiting.since)}`
  if (waiting?.what === 'workflow' || waiting?.what === 'task') return `waiting for a ${waiting.what}${since}: ${names}`
  return `waits for the result of ${names}${since}`
}

/** The part under the transcript: running calls, queued messages, the question and the input. */
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
  const ask = (room: number): readonly string[] => question?.lines(width, Math.max(rows - 2 - room, 1)) ?? []
  if (question?.choices !== undefined) {
    const keys = question.choices.split('\n').flatMap((line) => wrapped(shownText(line), () => width - 1).split('\n'))
    const lines = [...above, ...ask(above.length + keys.length), ...keys]
    return fitting({ lines, row: lines.length - 1, column: columnsOf(keys.at(-1) ?? '') + 1 }, rows)
  }
  // A long input leaves room for the transcript.
  const most = Math.max(Math.min(rows - above.length - 2, Math.floor(rows / (question ? 4 : 2))), 1)
  const prompt = `${cutTo(oneLine(input.prompt), Math.floor(width / 2))} `
  const { rows: written, row, column } = inputRows(input.text, input.cursor, prompt, width, most)
  const asked = ask(above.length + written.length)
  return fitting({ lines: [...above, ...asked, ...written], row: above.length + asked.length + row, column }, rows)
}

/** Not higher than the screen, because what scrolls out cannot be redrawn. */
function fitting({ lines, row, column }: Live, rows: number): Live {
  const over = Math.max(lines.length - Math.max(rows - 2, 1), 0)
  return { lines: lines.slice(over), row: Math.max(row - over, 0), column }
}

const seconds = (ms: number): string => (ms < 1000 ? '' : ` · ${Math.floor(ms / 1000)} s`)
