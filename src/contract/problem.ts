/**
 * A caller's mistake or a broken dependency, with a message for the caller. Expected outcomes are data and never a
 * Problem; a bug is a plain Error.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly field: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    code: ProblemCode,
    message: string,
    more: { field?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.field = more.field
    this.retryAfterMs = more.retryAfterMs
  }
}

/** A caller's mistake in one field. */
export function invalidField(field: string, why: string): Problem {
  return new Problem('VALIDATION_ERROR', `${field} ${why}.`, { field })
}

/** Whether it may help to wait. */
export const isStoreAway = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'STORE_UNAVAILABLE'

export const changedMeanwhile = (kind: string): Problem =>
  new Problem('CONFLICT', `Somebody changed this ${kind} meanwhile; look at it again.`)

export type ProblemCode =
  | 'VALIDATION_ERROR'
  | 'KEY_REQUIRED'
  | 'KEY_INVALID'
  | 'PERMISSION_DENIED'
  | 'FOREIGN_ORIGIN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'BUSY'
  | 'TOO_LARGE'
  | 'NOT_JSON'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMITED'
  | 'NOT_ENABLED'
  | 'SHUTTING_DOWN'
  | 'CONFIG_ERROR'
  | 'SECRET_KEY_ERROR'
  | 'INTERNAL_ERROR'
  | 'TIMEOUT'
  | 'TOOL_LIMIT'
  | 'TOKEN_LIMIT'
  | 'COST_LIMIT'
  | 'MODEL_ERROR'
  | 'TOOL_ERROR'
  | 'WORKFLOW_ERROR'
  | 'CONTEXT_ERROR'
  | 'STORE_BUSY'
  | 'STORE_CORRUPT'
  | 'STORE_TOO_NEW'
  | 'STORE_UNAVAILABLE'
