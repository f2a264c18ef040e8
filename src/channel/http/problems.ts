import type { Context } from 'hono'
import { Problem, type ProblemCode } from '../../contract/problem.ts'

export const STATUS: Readonly<Record<ProblemCode, number>> = {
  VALIDATION_ERROR: 400,
  KEY_REQUIRED: 401,
  KEY_INVALID: 401,
  PERMISSION_DENIED: 403,
  FOREIGN_ORIGIN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BUSY: 409,
  TOO_LARGE: 413,
  NOT_JSON: 415,
  IDEMPOTENCY_MISMATCH: 422,
  TOOL_LIMIT: 429,
  TOKEN_LIMIT: 429,
  COST_LIMIT: 429,
  RATE_LIMITED: 429,
  CONFIG_ERROR: 500,
  SECRET_KEY_ERROR: 500,
  CONTEXT_ERROR: 500,
  INTERNAL_ERROR: 500,
  NOT_ENABLED: 501,
  MODEL_ERROR: 502,
  TOOL_ERROR: 502,
  WORKFLOW_ERROR: 502,
  SHUTTING_DOWN: 503,
  STORE_BUSY: 503,
  STORE_CORRUPT: 503,
  STORE_TOO_NEW: 503,
  STORE_UNAVAILABLE: 503,
  TIMEOUT: 504,
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
  501: 'Not enabled',
  502: 'Upstream failed',
  503: 'Unavailable',
  504: 'Timed out',
}

export interface Fault {
  readonly field: string
  readonly message: string
}

/** An RFC 9457 problem document. */
export function problem(c: Context, code: ProblemCode, detail: string, errors: readonly Fault[] = []): Response {
  const status = STATUS[code]
  const body = {
    type: 'about:blank',
    title: TITLE[status] ?? 'Error',
    status,
    code,
    detail,
    requestId: c.get('httpRequestId') as string,
    ...(errors.length > 0 && { errors }),
  }
  c.set('problem', code)
  if (status === 401) c.header('www-authenticate', 'Bearer')
  return c.body(JSON.stringify(body), status as 400, { 'content-type': 'application/problem+json' })
}

/** Their messages contain paths of the server. */
const HIDDEN: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'CONFIG_ERROR',
  'STORE_BUSY',
  'STORE_CORRUPT',
  'STORE_TOO_NEW',
  'STORE_UNAVAILABLE',
])

/** What a client is told about an error; nothing about bugs. */
export function problemOf(error: unknown): { code: ProblemCode; detail: string } {
  if (!(error instanceof Problem)) return { code: 'INTERNAL_ERROR', detail: 'Segno made a mistake. Nothing was lost.' }
  if (HIDDEN.has(error.code))
    return { code: error.code, detail: 'The store cannot be used now. Nothing was stored; try again soon.' }
  return { code: error.code, detail: error.message }
}

export function onError(error: Error, c: Context): Response {
  const { code, detail } = problemOf(error)
  if (!(error instanceof Problem)) return problem(c, code, detail)
  const retryAfterMs = error.retryAfterMs ?? (STATUS[code] === 503 ? 5000 : undefined)
  if (retryAfterMs !== undefined) c.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))))
  const errors = error.field === undefined ? [] : [{ field: error.field, message: error.message }]
  return problem(c, code, detail, errors)
}
