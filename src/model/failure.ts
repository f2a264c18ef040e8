/** Why a model call did not come to its end. The reason is written for a person and holds no content. */
export interface Failure {
  readonly reason: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  readonly timeout?: boolean
}

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])
const NAMES: Readonly<Record<number, string>> = {
  401: 'the key was refused',
  403: 'access was refused',
  429: 'rate limited',
  529: 'overloaded',
}

export function describeFailure(error: unknown): Failure {
  const { statusCode, isRetryable, responseHeaders } = (error ?? {}) as {
    statusCode?: number
    isRetryable?: boolean
    responseHeaders?: Record<string, string>
  }
  if (statusCode === undefined && isRetryable === undefined) {
    return { reason: 'the connection to the model failed', retryable: true }
  }
  const retryAfterMs = retryAfter(responseHeaders)
  return {
    reason:
      statusCode === undefined ? 'the model failed' : (NAMES[statusCode] ?? `the provider answered ${statusCode}`),
    retryable: isRetryable ?? RETRYABLE_STATUS.has(statusCode ?? 0),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function retryAfter(headers: Record<string, string> | undefined): number | undefined {
  const ms = Number(headers?.['retry-after-ms'])
  if (Number.isFinite(ms) && ms >= 0) return ms
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
