import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { newId } from '../../lib/id.ts'
import { headersOf } from './headers.ts'
import type { AppEnv, Services } from './route.ts'

/** Who was refused something is on record. What cannot be recorded now is refused all the same. */
export function noteDenial({ audit }: Services, actor: Actor | undefined, error: Error): void {
  if (!actor || !(error instanceof Problem) || error.code !== 'PERMISSION_DENIED') return
  audit.denied(actor, error.code).catch(() => {})
}

/** Each request has an id, is counted, and leaves a line in the log: its route, never its address or what it says. */
export function watched({ metrics, log, settings }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    const requestId = newId()
    c.set('requestId', requestId)
    await next()
    if (c.get('isSent') !== true)
      for (const [name, value] of Object.entries(headersOf(c, settings.corsOrigins))) c.res.headers.set(name, value)
    const { status } = c.res
    const { method } = c.req
    const route = routePath(c, -1)
    const durationMs = Math.round(performance.now() - started)
    metrics.request(method, route, status, durationMs / 1000)
    const code = c.get('problem')
    if (code !== undefined) metrics.rejected(code)
    const fields = { requestId, method, route, status, durationMs, actorId: c.get('actor')?.id, code }
    if (status === 500) log.error('failed', { ...fields, ...mistakeOf(c.error) })
    else if (code === 'KEY_INVALID') log.warn('sign_in_failed', fields)
    else if (code === 'STORE_UNAVAILABLE') log.warn('store_unavailable', fields)
    else log.info(code === undefined ? 'request' : 'rejected', fields)
  }
}

/** What a mistake of ours was and where it was made; never its words. */
function mistakeOf(error: Error | undefined): { errorName?: string; place?: string } {
  if (!error) return {}
  const [, place] = /\/([\w.-]+\.[jt]s:\d+):\d+/.exec(error.stack ?? '') ?? []
  return { errorName: error.name, ...(place !== undefined && { place }) }
}
