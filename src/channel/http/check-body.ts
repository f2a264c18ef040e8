import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Problem } from '../../contract/problem.ts'
import { DEEPEST_JSON, nestsDeeper } from '../../lib/nesting.ts'
import type { AppEnv } from './route.ts'

export const bodyMayHave = (bytes: number, limit: string): string =>
  `The body may have ${bytes} bytes (limit ${limit}).`

/** A content-length can be trusted, because the HTTP parser enforces it. Without one, bytes are counted. */
export function notTooLarge(bytes: number, why = bodyMayHave(bytes, 'BODY_BYTES')): MiddlewareHandler<AppEnv> {
  const refuse = (): never => {
    throw new Problem('TOO_LARGE', why)
  }
  const counting = bodyLimit({ maxSize: bytes, onError: refuse })
  return async (c, next) => {
    const told = c.req.header('content-length')
    if (told === undefined || c.env?.incoming === undefined) return counting(c, next)
    return Number(told) > bytes ? refuse() : next()
  }
}

/** Behind a server the headers say so; a request made in code has no such headers. */
function hasBody(c: Context<AppEnv>): boolean {
  if (c.env?.incoming === undefined) return c.req.raw.body !== null
  return c.req.header('transfer-encoding') !== undefined || Number(c.req.header('content-length') ?? 0) > 0
}

/** A document of the knowledge may come as a file; everything else is JSON. */
export function isUpload(c: Context<AppEnv>): boolean {
  return mayBeUpload(c) && /^multipart\/form-data\s*(;|$)/i.test(c.req.header('content-type') ?? '')
}

function mayBeUpload({ req: { method, path } }: Context<AppEnv>): boolean {
  if (method === 'POST') return path === '/api/knowledge'
  return method === 'PATCH' && /^\/api\/knowledge\/[^/]+$/.test(path)
}

/** Checks a body as JSON, and an upload as a file. */
export const byKind =
  (json: MiddlewareHandler<AppEnv>, upload?: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    if (!isUpload(c)) return json(c, next)
    return upload ? upload(c, next) : next()
  }

const orAsForm = (c: Context<AppEnv>): string =>
  mayBeUpload(c) ? ', or a file as the field file of a form (multipart/form-data)' : ''

const WRITING = new Set(['POST', 'PATCH', 'PUT'])

export const onlyJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const writes = WRITING.has(c.req.method)
  const type = c.req.header('content-type')
  if (writes && (type === undefined ? hasBody(c) : !/^application\/json\s*(;|$)/i.test(type)))
    throw new Problem('NOT_JSON', `Send the body as JSON, with content-type application/json${orAsForm(c)}.`)
  return next()
}

/** Deep nesting takes seconds to parse and overflows the stack of recursive code. */
export const notTooDeep: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (WRITING.has(c.req.method) && hasBody(c) && nestsDeeper(await c.req.text()))
    throw new Problem('VALIDATION_ERROR', `The body is nested more than ${DEEPEST_JSON} levels deep.`, {
      field: 'body',
    })
  return next()
}
