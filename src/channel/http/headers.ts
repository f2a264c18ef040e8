import type { Context } from 'hono'
import type { AppEnv } from './route.ts'

/** What every answer says besides its content. Pages of origins the operator named may read it, no others. */
export function headersOf(c: Context<AppEnv>, allowed: readonly string[]): Record<string, string> {
  const origin = c.req.header('origin')
  const headers = { 'x-request-id': c.get('requestId'), 'x-content-type-options': 'nosniff' }
  if (origin === undefined || !allowed.includes(origin)) return headers
  return {
    ...headers,
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-expose-headers': 'x-request-id, retry-after',
  }
}
