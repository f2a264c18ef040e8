import { TooLong } from './collect.ts'

/** Why a model call did not come to its end. The reason is written for a person and holds no content. */
export interface Failure {
  readonly reason: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  readonly timeout?: boolean
  /** the provider itself is not well, whoever asks and whatever they ask */
  readonly outage: boolean
}

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

/** What a status or the provider's own word for it means. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/insufficient_quota|billing|credit/, 'the account has no credit left'],
  [/context_length|prompt_too_long|request_too_large|^413$/, 'the conversation is longer than the model can see'],
  [/overloaded|^529$/, 'overloaded'],
  [/rate_limit|resource_exhausted|^429$/, 'rate limited'],
  [/authentication|invalid_api_key|unauthenticated|^401$/, 'the key was refused'],
  [/permission|^403$/, 'access was refused'],
  [/model_not_found|not_found|^404$/, 'the provider knows no such model or address'],
]
const FINAL = new Set(['the account has no credit left', 'the conversation is longer than the model can see'])

export function describeFailure(error: unknown): Failure {
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
  const words = wordsOf(error)
  // An answer that breaks while it is read is told with its status, which was a good one.
  const broke = statusCode !== undefined && statusCode < 300
  if (broke || (statusCode === undefined && words.length === 0)) {
    const reason = CUT.test(message ?? '')
      ? 'the stream was cut'
      : SENSELESS.test(name ?? '')
        ? 'the provider sent something that makes no sense'
        : 'the connection to the model failed'
    return { reason, retryable: broke || (isRetryable ?? true), outage: true }
  }
  const meaning = MEANINGS.find(([sign]) => [...words, String(statusCode)].some((word) => sign.test(word)))?.[1]
  const status = statusCode === undefined ? 'failed' : `answered ${statusCode}`
  const reason = meaning ?? `the provider ${status}${words.length > 0 ? ` (${words[0]})` : ''}`
  const retryAfterMs = retryAfter(responseHeaders)
  return {
    reason,
    retryable: !FINAL.has(reason) && (isRetryable ?? (statusCode === undefined || RETRYABLE_STATUS.has(statusCode))),
    outage: reason === 'overloaded' || statusCode === undefined || statusCode >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** How packages say that a stream ended before its end. */
const CUT = /^(?:Response stream ended without a finish reason|Ollama stopped in mid-answer)/
const SENSELESS = /InvalidResponseData|TypeValidation|JSONParse|NoContentGenerated/

/** The provider's own words for what went wrong: identifiers only, for a sentence may quote the conversation. */
function wordsOf(error: unknown): string[] {
  const { type, code, data } = (error ?? {}) as { type?: unknown; code?: unknown; data?: unknown }
  const inner = (data as { error?: { type?: unknown; code?: unknown; status?: unknown } } | undefined)?.error
  return [inner?.code, inner?.type, inner?.status, code, type].flatMap((word) =>
    typeof word === 'string' && /^(?!E[A-Z]+$|UND_ERR)[a-zA-Z][\w.-]{2,59}$/.test(word) ? word.toLowerCase() : [],
  )
}

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
