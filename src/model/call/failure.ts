import type { RetryOptions } from '../../contract/event.ts'
import { Problem } from '../../contract/problem.ts'
import { TooLong } from './collect.ts'

/** Why a model call failed; the reason is for people and has no content. */
export interface Failure {
  readonly reason: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  readonly timeout?: boolean
  /** the provider itself has a problem, whoever asks */
  readonly outage: boolean
}

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

const RATE_LIMITED = 'rate limited'

/** May it be tried again, where only these are to be? */
export function isRetryable({ retryable, reason }: Failure, only: RetryOptions['retryableErrors']): boolean {
  return retryable && (only?.includes(reason === RATE_LIMITED ? 'RATE_LIMITED' : 'TEMPORARY_FAILURE') ?? true)
}

const NO_CREDIT = 'the account has no credit left'
const TOO_MUCH = 'the conversation is longer than the model can see'
const KEY_REFUSED = 'the key was refused'
/** Reasons by status or the provider's own error code. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/insufficient_quota|billing|credit|^402$/, NO_CREDIT],
  [/context_length|prompt_too_long|request_too_large|^413$/, TOO_MUCH],
  [/overloaded|^529$/, 'overloaded'],
  [/rate_limit|resource_exhausted|^429$/, RATE_LIMITED],
  [/authentication|invalid_api_key|unauthenticated|^401$/, KEY_REFUSED],
  [/permission|^403$/, 'access was refused'],
  [/model_not_found|not_found|^404$/, 'the provider knows no such model or address'],
  [/^30[12378]$/, 'the provider is at another address now; its base URL must be changed'],
]
/**
 * Reasons that some providers give only in their message, which is never shown because it may quote the conversation.
 */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/credit balance is too low/i, NO_CREDIT],
  [/prompt is too long|context (?:length|limit|size|window)|exceeds the maximum number of tokens/i, TOO_MUCH],
  [/api key not valid/i, KEY_REFUSED],
]
const FINAL = new Set([NO_CREDIT, TOO_MUCH])

export function describeFailure(error: unknown): Failure {
  if (error instanceof Problem) {
    return { reason: error.message.replace(/\.$/, ''), retryable: false, outage: false }
  }
  if (error instanceof TooLong) {
    return { reason: 'the answer was longer than ANSWER_CHARS allows', retryable: false, outage: false }
  }
  const { statusCode, isRetryable, responseHeaders, noStream, name, message } = (error ?? {}) as {
    statusCode?: number
    isRetryable?: boolean
    responseHeaders?: Record<string, string>
    noStream?: string
    name?: string
    message?: string
  }
  if (noStream !== undefined) {
    return {
      reason: `the provider answered with ${noStream} where a stream was expected`,
      retryable: false,
      outage: true,
    }
  }
  const isSenseless = [name, message].some((text) => SENSELESS.test(text ?? ''))
  const words = isSenseless ? [] : wordsOf(error)
  // An answer that breaks while it is read comes with a status of success.
  const broke = statusCode !== undefined && statusCode < 300
  if (broke || (statusCode === undefined && words.length === 0)) {
    const reason = CUT.test(message ?? '')
      ? 'the stream was cut'
      : isSenseless
        ? 'the provider sent something that makes no sense'
        : 'the connection to the model failed'
    return { reason, retryable: broke || (isRetryable ?? true), outage: true }
  }
  const [, meaning] =
    MEANINGS.find(([sign]) => [...words, String(statusCode)].some((word) => sign.test(word))) ??
    SENTENCES.find(([sign]) => statusCode === 400 && sign.test(message ?? '')) ??
    []
  const status = statusCode === undefined ? 'failed' : `answered ${statusCode}`
  const reason = meaning ?? `the provider ${status}${words.length > 0 ? ` (${words[0]})` : ''}`
  const retryAfterMs = retryAfter(responseHeaders)
  return {
    reason,
    retryable: !FINAL.has(reason) && (isRetryable ?? (statusCode === undefined || RETRYABLE_STATUS.has(statusCode))),
    outage: reason === 'overloaded' || (statusCode === undefined ? meaning === undefined : statusCode >= 500),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** Messages of provider packages for a stream that was cut or cannot be read. */
const CUT = /^(?:Response stream ended without a finish reason|Ollama stopped in mid-answer)/
const SENSELESS =
  /^(?:AI_InvalidResponseData|AI_TypeValidation|AI_JSONParse|AI_NoContentGenerated|Expected a normalized Anthropic stream|Ollama sent a line that is no JSON)/

interface ProviderError {
  readonly type?: unknown
  readonly code?: unknown
  readonly status?: unknown
}

/** The provider's error codes; never its messages, which may quote the conversation. */
function wordsOf(error: unknown): string[] {
  const { data, ...outer } = (error ?? {}) as ProviderError & {
    data?: (ProviderError & { error?: ProviderError | null; response?: { error?: ProviderError | null } | null }) | null
  }
  const errors = [data?.error, data?.response?.error, data, outer]
  const words = errors.flatMap((one) => [one?.code, one?.type, one?.status])
  return words.flatMap((word) => (typeof word === 'string' && WORD.test(word) ? word.toLowerCase() : []))
}

/** Not an errno, and not a word that only means "error". */
const WORD = /^(?!E[A-Z]{1,59}$|UND_ERR|error$|response\.failed$)[a-zA-Z][\w.-]{2,59}$/

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
