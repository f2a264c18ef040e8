import type { MiddlewareHandler } from 'hono'

/** Answers a browser that asks first whether a page of another origin may ask. */
export function preflight(allowed: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const asksFirst = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
    if (!asksFirst || !allowed.includes(c.req.header('origin') ?? '')) return next()
    return c.body(null, 204, {
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
      'access-control-max-age': '600',
    })
  }
}
