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
  /** what Segno says about it; never a tool's output */
  readonly words?: string
}

export const SPINNER = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']

/** `calculator 6*7`: the name, and the arguments as short as they can be said. */
function callWords({ name, args }: ShownCall): string {
  const values = Object.values(args)
  const [only] = values
  const said = values.length === 0 ? '' : values.length === 1 && typeof only === 'string' ? only : JSON.stringify(args)
  return oneLine(`${name} ${said}`)
}

/** A call that runs. */
export function runningLine(call: ShownCall, sign: string, width: number, paint: Paint): string {
  return `${paint('careful', sign)} ${cutTo(callWords(call), width - 2)}`
}

/** A call that is over, on one line: what it was, how it went, how long it took. */
export function callLine(call: ShownCall, result: ShownResult, width: number, paint: Paint): string {
  const { outcome } = result
  const sign = outcomeSign(outcome)
  const end = cutTo(endOf(call, result), Math.max(width - 12, 20))
  const words = cutTo(callWords(call), Math.max(width - 2 - columnsOf(end), 8))
  const tint: Tint = outcome === 'ok' ? 'good' : outcome === 'unknown' ? 'careful' : 'bad'
  return `${paint(tint, sign)} ${words}${outcome === 'ok' ? paint('dim', end) : end}`
}

function endOf({ callId }: ShownCall, { outcome, code, durationMs, words }: ShownResult): string {
  if (outcome === 'ok') return ` · ${duration(durationMs)}`
  const what = `${outcomeWords(outcome)}${code === undefined ? '' : ` (${code})`}`
  if (outcome === 'unknown') return ` · ${what}: segno calls reconcile ${callId}`
  const took = outcome === 'error' || outcome === 'timeout' ? ` · ${duration(durationMs)}` : ''
  const why = words === undefined || took !== '' ? '' : `: ${oneLine(words)}`
  return ` · ${what}${took}${why}`
}
