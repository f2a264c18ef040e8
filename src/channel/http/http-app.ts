import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { newId } from '../../lib/id.ts'
import { preflight } from './cors.ts'
import { headersOf } from './headers.ts'
import { docsPage, frontPage } from './pages.ts'
import { onError, problem } from './problems.ts'
import { newRoutes, type App, type AppEnv, type Services } from './route.ts'
import { catalogRoutes } from './routes/catalog.ts'
import { chatRoutes } from './routes/chat.ts'
import { chatStreamRoutes } from './routes/chats.ts'
import { eventRoutes } from './routes/events.ts'
import { keyRoutes } from './routes/keys.ts'
import { messageRoutes } from './routes/messages.ts'
import { roundRoutes } from './routes/rounds.ts'
import { serviceRoutes } from './routes/service.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { workspaceRoutes } from './routes/workspaces.ts'
import { createStreamOut } from './stream-out.ts'
import { who } from './who.ts'

const ROUTES = [
  serviceRoutes,
  sessionRoutes,
  messageRoutes,
  eventRoutes,
  roundRoutes,
  chatRoutes,
  chatStreamRoutes,
  workspaceRoutes,
  keyRoutes,
  catalogRoutes,
]

/** Every route there is. It knows no server: `fetch` takes a Request and gives a Response. */
export function createHttpApp(services: Services): App {
  const { settings, keys, rate } = services
  const app = newRoutes()
  app.use(watched(services))
  app.use(preflight(settings.corsOrigins))
  const asked = who({ keys, rate, requireKey: settings.requireKey, corsOrigins: settings.corsOrigins })
  app.use('/api/*', asked)
  app.use('/metrics', asked)
  app.use('/api/*', onlyJson)
  app.use('/api/*', notTooLarge(settings.bodyBytes))
  const streamOut = createStreamOut(services)
  for (const routes of ROUTES) app.route('/', routes(services, streamOut))
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' })
  const info = { title: 'Segno', version: settings.version }
  const description = once(() => app.getOpenAPI31Document({ openapi: '3.1.0', info }))
  const asText = once(() => JSON.stringify(description()))
  const asPage = once(() => docsPage(description()))
  app.get('/openapi.json', (c) => c.body(asText(), 200, { 'content-type': 'application/json' }))
  app.get('/docs', (c) => c.html(asPage()))
  app.get('/', (c) => c.html(frontPage(new URL(c.req.url).origin)))
  app.notFound((c) => problem(c, 'NOT_FOUND', 'There is nothing at this address; /docs tells what there is.'))
  app.onError((error, c) => {
    // The only one a request can cause: its body was not read as JSON.
    if (error instanceof HTTPException) return problem(c, 'NOT_JSON', 'The body is not JSON that can be read.')
    noteDenial(services, c.get('actor'), error)
    return onError(error, c)
  })
  return app
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Who was refused something is on record. What cannot be recorded now is refused all the same. */
function noteDenial({ audit }: Services, actor: Actor | undefined, error: Error): void {
  if (!actor || !(error instanceof Problem) || error.code !== 'PERMISSION_DENIED') return
  audit.denied(actor, error.code).catch(() => {})
}

/** Each request has an id, is counted, and leaves a line in the log: its route, never its address or what it says. */
function watched({ metrics, log, settings }: Services): MiddlewareHandler<AppEnv> {
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

/** A length that is told is believed; the parser holds the client to it. Only what is not told must be counted. */
function notTooLarge(bytes: number): MiddlewareHandler<AppEnv> {
  const refuse = (): never => {
    throw new Problem('TOO_LARGE', `The body may have ${bytes} bytes (limit BODY_BYTES).`)
  }
  const counting = bodyLimit({ maxSize: bytes, onError: refuse })
  return async (c, next) => {
    const told = c.req.header('content-length')
    if (told === undefined || c.env?.incoming === undefined) return counting(c, next)
    return Number(told) > bytes ? refuse() : next()
  }
}

/** A server says it in the headers; a request made in code has a body or has none. */
function hasBody(c: Context<AppEnv>): boolean {
  if (c.env?.incoming === undefined) return c.req.raw.body !== null
  return c.req.header('transfer-encoding') !== undefined || Number(c.req.header('content-length') ?? 0) > 0
}

const onlyJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const writes = c.req.method === 'POST' || c.req.method === 'PATCH'
  const type = c.req.header('content-type')
  if (writes && (type === undefined ? hasBody(c) : !/^application\/json\s*(;|$)/i.test(type)))
    throw new Problem('NOT_JSON', 'Send the body as JSON, with content-type application/json.')
  return next()
}
