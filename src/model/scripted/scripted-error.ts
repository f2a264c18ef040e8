import type { Fault } from './script.ts'

const OVERLOADED = 529

/** Looks like a provider's API error. */
export class ScriptedError extends Error {
  /** undefined if the connection broke */
  readonly statusCode: number | undefined
  readonly isRetryable: boolean
  readonly responseHeaders: Record<string, string>
  readonly data: { readonly error: { readonly code?: string } }

  constructor(message: string, statusCode?: number, retryAfterMs?: number, code?: string) {
    super(message)
    this.name = 'ScriptedError'
    this.statusCode = statusCode
    this.isRetryable =
      statusCode === undefined || statusCode === 408 || statusCode === 409 || statusCode === 429 || statusCode >= 500
    this.responseHeaders = retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) }
    this.data = { error: code === undefined ? {} : { code } }
  }
}

export function errorOf(fault: Extract<Fault, { kind: 'error' | 'overloaded' }>): ScriptedError {
  const { status, code } = fault.kind === 'error' ? fault : { status: OVERLOADED }
  return new ScriptedError(`The script answers with status ${status}`, status, fault.retryAfterMs, code)
}
