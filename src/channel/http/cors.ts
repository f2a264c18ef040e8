import type { MiddlewareHandler } from 'hono'

/** Pages of the origins the operator named may use the API; no other page learns anything. */
export function cors(allowed: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin === undefined || !allowed.includes(origin)) return next()
    c.header('access-control-allow-origin', origin)
    c.header('vary', 'Origin')
    c.header('access-control-expose-headers', 'x-request-id, retry-after')
    if (c.req.method !== 'OPTIONS' || c.req.header('access-control-request-method') === undefined) return next()
    c.header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
    c.header('access-control-allow-headers', 'authorization, content-type, idempotency-key, last-event-id')
    c.header('access-control-max-age', '600')
    return c.body(null, 204)
  }
}
