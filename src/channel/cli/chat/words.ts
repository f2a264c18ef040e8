import type { ApprovalDecided } from '../../../contract/call-events.ts'
import type { FinishReason, Outcome } from '../../../contract/outcome.ts'
import type { Usage } from '../../../contract/message.ts'

/** `3 ms`, `1.2 s`, `2 m 05 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`
}

export const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

/** By the clock of this machine: `10:42`, and on another day `2026-11-18 10:42`. */
export function clockTime(iso: string, now = new Date()): string {
  const at = new Date(iso)
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`
  return dayOf(at) === dayOf(now) ? time : `${dayOf(at)} ${time}`
}

const two = (part: number): string => String(part).padStart(2, '0')
const dayOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** From micro-dollars, with at most four significant digits. An unknown price is not zero. */
export function money(micro: number, usage?: Pick<Usage, 'unpriced'>): string {
  if (usage?.unpriced) return micro === 0 ? 'price unknown' : `at least ${money(micro)}, price unknown`
  if (micro === 0) return '$0'
  const dollars = micro / 1_000_000
  const text = dollars >= 1000 ? String(Math.round(dollars)) : dollars.toPrecision(4)
  return `$${text.includes('e') ? dollars.toFixed(6) : Number(text)}`
}

/** What went in and came out, with what the provider had in its cache and what it put there. */
export function tokenWords({ input, output, cachedRead = 0, cachedWrite = 0 }: Usage): string {
  const cached = [
    ...(cachedRead > 0 ? [`${count(cachedRead)} from the cache`] : []),
    ...(cachedWrite > 0 ? [`${count(cachedWrite)} put there`] : []),
  ]
  return `${count(input)} tokens in${cached.length > 0 ? ` (${cached.join(', ')})` : ''}, ${count(output)} out`
}

const count = (tokens: number): string => tokens.toLocaleString('en')

const ENDS: Readonly<Record<FinishReason, string>> = {
  complete: 'Done',
  max_tokens: 'Cut off: the answer was longer than the model may write at once',
  iteration_limit: 'Stopped: it asked for tools too many times',
  tool_limit: 'Stopped: it may call no more tools in this round',
  budget: 'Stopped: the budget of today is used up',
  timeout: 'Stopped: it took too long',
  cancelled: 'Cancelled',
  error: 'Failed',
}

export const endWords = (reason: FinishReason): string => ENDS[reason] ?? reason

const GO_ON = 'It can go on, and counts anew: /continue'

/** What the person can do about it. */
export const ADVICE: Readonly<Partial<Record<FinishReason, string>>> = {
  error:
    'Your message is kept. Send it again to try once more, choose another model with /model, or run: segno doctor --ask',
  max_tokens: 'Say "go on" for the rest.',
  iteration_limit: GO_ON,
  tool_limit: GO_ON,
  budget: 'The budget is for a day (UTC); who runs this Segno can raise it.',
  timeout: 'Say "go on", or raise SEGNO_LIMITS_TOTAL_MS.',
}

export function decisionWords({ decision, remember }: ApprovalDecided, isQuestion: boolean): string {
  if (decision === 'stale') return 'not asked any more'
  if (decision === 'expired') return 'not allowed: too late'
  if (isQuestion) return decision === 'approve' ? 'answered' : 'not answered'
  if (decision === 'deny') return 'not allowed'
  return remember === 'session' ? 'allowed for this conversation' : 'allowed'
}

const OUTCOMES: Readonly<Record<Outcome, readonly [sign: string, words: string]>> = {
  ok: ['✓', ''],
  error: ['✗', 'failed'],
  refused: ['✗', 'refused'],
  denied: ['✗', 'denied'],
  cancelled: ['✗', 'cancelled'],
  timeout: ['✗', 'took too long'],
  unknown: ['?', 'unknown'],
}

export const outcomeSign = (outcome: Outcome): string => OUTCOMES[outcome]?.[0] ?? '?'
export const outcomeWords = (outcome: Outcome): string => OUTCOMES[outcome]?.[1] ?? outcome
