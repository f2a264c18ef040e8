import type { MiddlewareHandler } from 'hono'

/** Pages of the origins the operator named may use the API; no other page learns anything. */
export function cors(allowed: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin === undefined || !allowed.includes(origin)) return next()
    const asksFirst = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
    if (asksFirst) {
      c.header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
      c.header('access-control-allow-headers', 'authorization, content-type, idempotency-key, last-event-id')
      c.header('access-control-max-age', '600')
      c.res = c.body(null, 204)
    } else await next()
    // Only now: a stream brings headers of its own, and what was set before them would be lost.
    c.header('access-control-allow-origin', origin)
    c.header('vary', 'Origin')
    c.header('access-control-expose-headers', 'x-request-id, retry-after')
  }
}
