import { LATER_KINDS, type LaterKind } from '../../../src/contract/event.ts'
import type { Usage } from '../../../src/contract/message.ts'
import type { FinishReason, Outcome, StopReason } from '../../../src/contract/outcome.ts'

/** Numbers and words as people read them. */

/** A text on one line, cut where it gets too long. */
export function oneLine(text: string, longest = 120): string {
  const line = text
    .slice(0, longest * 2)
    .replaceAll(/[ \t\r\n]+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** Micro-dollars. */
export function money(cost: number, unpriced = false): string {
  if (unpriced && cost === 0) return 'price unknown'
  const dollars = cost / 1_000_000
  const text =
    dollars === 0
      ? '$0'
      : dollars < 0.0001
        ? '<$0.0001'
        : dollars < 1
          ? `$${Number(dollars.toPrecision(3))}`.replace(/\.\d$/, '$&0')
          : `$${dollars.toFixed(2)}`
  return unpriced ? `${text} or more` : text
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 1440
    ? `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`
    : `${Math.round(minutes / 1440)} d`
}

export function count(number: number): string {
  if (number < 10_000) return String(number)
  return number < 1_000_000
    ? `${Number((number / 1000).toPrecision(3))} k`
    : `${Number((number / 1_000_000).toPrecision(3))} M`
}

export const bytes = (size: number): string =>
  size < 1024
    ? `${size} B`
    : size < 1_048_576
      ? `${(size / 1024).toFixed(1)} KB`
      : `${(size / 1_048_576).toFixed(1)} MB`

export const tokens = ({ input, output, estimated }: Usage): string =>
  `${estimated ? 'about ' : ''}${count(input)} in · ${count(output)} out`

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `21:40:26`, whatever the language: all of one width, and cheap to write. */
export const clock = (at: number | string): string => new Date(at).toTimeString().slice(0, 8)

/** `15 Nov 2026, 21:40` */
export function moment(at: number | string): string {
  const date = new Date(at)
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}, ${clock(at).slice(0, 5)}`
}

/** `21:40`, with its day if that is another one than today. */
export const timeOf = (at: number | string): string => moment(at).replace(moment(Date.now()).slice(0, -5), '')

/** A time in its largest unit: `45 s`, `12 m`, `23 h`, `3 d`. */
export function roughly(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

export function ago(at: number | string, now = Date.now()): string {
  const ms = now - new Date(at).getTime()
  return ms < 45_000 ? 'now' : `${roughly(ms)} ago`
}

export const FINISHED: Readonly<Record<FinishReason, string>> = {
  complete: 'answered',
  max_tokens: 'cut off: the answer reached its maximum length',
  iteration_limit: 'stopped: too many turns in one round',
  tool_limit: 'stopped: the tool calls of this round were used up',
  budget: 'stopped: the budget is used up',
  timeout: 'stopped: it took too long',
  cancelled: 'cancelled',
  error: 'failed',
}

/** Why a model call ended. */
export const STOPPED: Readonly<Record<StopReason, string>> = {
  end_turn: 'finished',
  tool_use: 'asked for tools',
  max_tokens: 'reached its maximum length',
  content_filter: 'stopped by the filter of its provider',
  cancelled: 'cancelled',
  timeout: 'took too long',
  error: 'failed',
}

export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  ok: 'ok',
  error: 'failed',
  refused: 'refused',
  denied: 'denied',
  cancelled: 'cancelled',
  timeout: 'timed out',
  unknown: 'unknown',
}

/** What a round waits for, unless that is a person. */
export const laterKind = (waitingFor?: string): LaterKind | undefined => LATER_KINDS.find((kind) => kind === waitingFor)
