import type { JsonObject } from '../../../contract/message.ts'
import type { Outcome } from '../../../contract/outcome.ts'
import { cutTo, columnsOf } from './columns.ts'
import type { Paint, Tint } from './paint.ts'
import { oneLine } from './safe-text.ts'
import { duration, outcomeSign, outcomeWords } from './words.ts'

export interface ShownCall {
  readonly callId: string
  readonly name: string
  readonly args: JsonObject
}

export interface ShownResult {
  readonly outcome: Outcome
  readonly code?: string
  readonly durationMs: number
  /** Segno's own explanation, never output of a tool */
  readonly words?: string
  /** the command that says whether it happened */
  readonly settle?: (callId: string) => string
}

export const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'.split('')

/** more than any screen has columns */
const LONGEST_VALUE = 1000

/** Such as `calculator 6*7`. */
function callWords({ name, args }: ShownCall): string {
  const [first, ...others] = Object.entries(args)
  if (first === undefined) return oneLine(name)
  const value = (one: unknown): string => (typeof one === 'string' ? one : JSON.stringify(one)).slice(0, LONGEST_VALUE)
  return oneLine([name, value(first[1]), ...others.map(([key, one]) => `${key}=${value(one)}`)].join(' '))
}

export function runningLine(call: ShownCall, sign: string, width: number, paint: Paint): string {
  return `${paint('careful', sign)} ${cutTo(callWords(call), width - 2)}`
}

/** A finished call: what it was, how it went, how long it took. */
export function callLine(call: ShownCall, result: ShownResult, width: number, paint: Paint): string {
  const { outcome, words } = result
  const said = callWords(call)
  const end = endOf(call, result)
  const why = words === undefined ? '' : `: ${oneLine(words)}`
  const hasRoom = 2 + columnsOf(said + end + why) <= width
  const cut = cutTo(said, Math.max(width - 2 - columnsOf(end), 12))
  const tint: Tint = outcome === 'ok' ? 'good' : outcome === 'unknown' ? 'careful' : 'bad'
  return `${paint(tint, outcomeSign(outcome))} ${cut}${paint('dim', hasRoom ? end + why : end)}`
}

function endOf({ callId }: ShownCall, { outcome, code, durationMs, settle = byCommand }: ShownResult): string {
  if (outcome === 'ok') return ` · ${duration(durationMs)}`
  const what = `${outcomeWords(outcome)}${code === undefined ? '' : ` (${code})`}`
  if (outcome === 'unknown') return ` · ${what}: ${oneLine(settle(callId))}`
  return outcome === 'error' || outcome === 'timeout' ? ` · ${what} · ${duration(durationMs)}` : ` · ${what}`
}

const byCommand = (callId: string): string => `segno calls reconcile ${callId} --happened yes|no`
