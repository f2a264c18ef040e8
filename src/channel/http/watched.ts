import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { newId } from '../../lib/id.ts'
import { headersOf } from './headers.ts'
import type { AppEnv, Services } from './route.ts'

/** Records a denial; it is a denial even if that fails. */
export function noteDenial({ audit }: Services, actor: Actor | undefined, error: Error): void {
  if (!actor || !(error instanceof Problem) || error.code !== 'PERMISSION_DENIED') return
  audit.denied(actor, error.code).catch(() => {})
}

/** Gives each request an id, counts it and logs its route, but no content. */
export function watched({ metrics, log, settings }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    const httpRequestId = newId()
    c.set('httpRequestId', httpRequestId)
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
    const fields = { httpRequestId, method, route, status, durationMs, actorId: c.get('actor')?.id, code }
    if (status === 500) log.error('failed', { ...fields, ...mistakeOf(c.error) })
    else if (code === 'KEY_INVALID') log.warn('sign_in_failed', fields)
    else if (code === 'STORE_UNAVAILABLE') log.warn('store_unavailable', fields)
    else log.info(code === undefined ? 'request' : 'rejected', fields)
  }
}

/** The name and place of a bug, without its message. */
function mistakeOf(error: Error | undefined): { errorName?: string; place?: string } {
  if (!error) return {}
  const [, place] = /\/([\w.-]+\.[jt]s:\d+):\d+/.exec(error.stack ?? '') ?? []
  return { errorName: error.name, ...(place !== undefined && { place }) }
}
