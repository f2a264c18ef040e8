import type { MiddlewareHandler } from 'hono'
import { problem } from './problems.ts'

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Only this machine, and only on its own behalf: a foreign Host is DNS rebinding, a foreign Origin is another site's
 * page, and a forwarded request comes from somewhere else.
 */
export const localOnly: MiddlewareHandler = async (c, next) => {
  if (FORWARDING.some((name) => c.req.header(name) !== undefined)) {
    return problem(c, 401, 'KEY_REQUIRED', 'A forwarded request needs a key, and this Segno has no keys yet.')
  }
  const host = c.req.header('host') ?? new URL(c.req.url).host
  if (!LOOPBACK.test(host)) {
    return problem(c, 403, 'FOREIGN_HOST', `The Host "${host}" is not this machine. Use 127.0.0.1 or localhost.`)
  }
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== `http://${host}`) {
    return problem(c, 403, 'FOREIGN_ORIGIN', 'A page of another site asked for this.')
  }
  if (c.req.header('sec-fetch-site') === 'cross-site') {
    return problem(c, 403, 'FOREIGN_ORIGIN', 'A page of another site asked for this.')
  }
  return next()
}
