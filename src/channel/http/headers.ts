import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from './route.ts'

/** The headers of every response, with CORS headers for allowed origins. */
export function headersOf(c: Context<AppEnv>, allowed: readonly string[]): Record<string, string> {
  const origin = c.req.header('origin')
  const headers = { 'x-request-id': c.get('httpRequestId'), 'x-content-type-options': 'nosniff' }
  if (origin === undefined || !allowed.includes(origin)) return headers
  return {
    ...headers,
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-expose-headers': 'x-request-id, retry-after',
  }
}

/** Answers CORS preflight requests. */
export function preflight(allowed: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const asksFirst = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
    if (!asksFirst || !allowed.includes(c.req.header('origin') ?? '')) return next()
    return c.body(null, 204, {
      'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
      'access-control-max-age': '600',
    })
  }
}
