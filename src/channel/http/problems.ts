import type { Context } from 'hono'
import { Problem, type ProblemCode } from '../../contract/problem.ts'

/** The one table from codes to HTTP. */
export const STATUS: Readonly<Record<ProblemCode, number>> = {
  VALIDATION_ERROR: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BUSY: 409,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  MODEL_ERROR: 502,
  SHUTTING_DOWN: 503,
  STORE_BUSY: 503,
  STORE_CORRUPT: 503,
  STORE_TOO_NEW: 503,
  STORE_UNAVAILABLE: 503,
  CONFIG_ERROR: 500,
}

const TITLE: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Key needed',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  413: 'Too large',
  415: 'Not JSON',
  422: 'Key used for something else',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'Model failed',
  503: 'Unavailable',
}

export interface Fault {
  readonly field: string
  readonly message: string
}

/** An RFC 9457 problem document. */
export function problem(
  c: Context,
  status: number,
  code: string,
  detail: string,
  errors: readonly Fault[] = [],
): Response {
  const body = {
    type: 'about:blank',
    title: TITLE[status] ?? 'Error',
    status,
    code,
    detail,
    requestId: c.get('requestId') as string,
    ...(errors.length > 0 && { errors }),
  }
  return c.body(JSON.stringify(body), status as 400, { 'content-type': 'application/problem+json' })
}

/** What a thrown error looks like from outside. A bug of ours says no more than that it is one. */
export function onError(error: Error, c: Context): Response {
  if (!(error instanceof Problem)) return problem(c, 500, 'INTERNAL_ERROR', 'Segno made a mistake. Nothing was lost.')
  if (error.retryAfterMs !== undefined) c.header('retry-after', String(Math.ceil(error.retryAfterMs / 1000)))
  const errors = error.field === undefined ? [] : [{ field: error.field, message: error.message }]
  return problem(c, STATUS[error.code], error.code, error.message, errors)
}
