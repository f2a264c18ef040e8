import type { RetryOptions } from '../../contract/round-started.ts'
import { Problem } from '../../contract/problem.ts'
import { TooLong } from './collect.ts'
import { CAUSES } from './causes.ts'
import { findCause } from './find-cause.ts'
import { readError } from './read-error.ts'

/** Why a model call failed; the reason is for people and has no content. */
export interface Failure {
  readonly reason: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  readonly timeout?: boolean
  /** the prompt is longer than the model can see, or than the provider reads, so a shorter one may help */
  readonly tooLong?: 'tokens' | 'bytes'
  /** thoughts that it gave, such as before its keys changed, are refused; without them it may answer */
  readonly badThoughts?: true
  /** the provider itself has a problem, whoever asks */
  readonly outage: boolean
}

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

/** May it be tried again, where only these are to be? */
export function isRetryable({ retryable, reason }: Failure, only: RetryOptions['retryableErrors']): boolean {
  return retryable && (only?.includes(reason === CAUSES.rate.reason ? 'RATE_LIMITED' : 'TEMPORARY_FAILURE') ?? true)
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof Problem) {
    return { reason: error.message.replace(/\.$/, ''), retryable: false, outage: false }
  }
  if (error instanceof TooLong) {
    return { reason: 'the answer was longer than ANSWER_CHARS allows', retryable: false, outage: false }
  }
  const { isRetryable, noStream, message } = (error ?? {}) as {
    isRetryable?: boolean
    noStream?: string
    message?: string
  }
  if (noStream !== undefined) {
    const reason = PAGE.test(noStream)
      ? CAUSES.page.reason
      : `the provider answered with ${noStream} where a stream was expected`
    return { reason, retryable: false, outage: true }
  }
  const isSenseless = isNonsense(error)
  const told = readError(error)
  const { status } = told
  const words = isSenseless ? [] : told.words
  const cause = isSenseless ? undefined : findCause(told)
  // An answer that breaks while it is read comes with a status of success.
  const broke = status !== undefined && status < 300
  if (broke || (status === undefined && words.length === 0 && cause === undefined)) {
    const reason = CUT.test(message ?? '')
      ? 'the stream was cut'
      : isSenseless
        ? 'the provider sent something that makes no sense'
        : 'the connection to the model failed'
    return { reason, retryable: broke || (isRetryable ?? true), outage: true }
  }
  const how = status === undefined ? 'failed' : `answered ${status}`
  const code = words.find((word) => word.length <= CODE_CHARS && CODE.test(word))
  const isFinal = cause?.isFinal ?? false
  const retryAfterMs = retryAfter(told.headers) ?? told.retryDelayMs
  return {
    reason: cause?.reason ?? `the provider ${how}${code === undefined ? '' : ` (${code})`}`,
    ...(cause === CAUSES.tooLong && { tooLong: status === 413 ? ('bytes' as const) : ('tokens' as const) }),
    ...(cause === CAUSES.thoughts && { badThoughts: true as const }),
    retryable: !isFinal && (isRetryable ?? (status === undefined || RETRYABLE_STATUS.has(status))),
    outage: !isFinal && (cause === CAUSES.overloaded || (status === undefined ? cause === undefined : status >= 500)),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** Whether the provider sent what its package cannot read; its message may be a piece of the answer. */
export function isNonsense(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { name?: string; message?: string }
  return [name, message].some((text) => SENSELESS.test(text ?? ''))
}

/** Plain words: whatever else a provider puts there could be a key, or quote the request. */
const CODE = /^[a-z]{1,40}(?:[_.-][a-z]{1,40}){0,8}$/
const CODE_CHARS = 40
const PAGE = /^text\/html/i
/** Messages of provider packages for a stream that was cut or cannot be read. */
const CUT = /^(?:Response stream ended without a finish reason|Ollama stopped in mid-answer)/
const SENSELESS =
  /^(?:AI_InvalidResponseData|AI_TypeValidation|AI_JSONParse|AI_NoContentGenerated|Expected a normalized Anthropic stream|Ollama sent a line that is no JSON)/

function retryAfter(headers: Record<string, string> | undefined): number | undefined {
  const ms = Number(headers?.['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  const value = headers?.['retry-after']
  if (value === undefined) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
