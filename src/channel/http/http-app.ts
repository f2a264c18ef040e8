import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { newId } from '../../lib/id.ts'
import { cors } from './cors.ts'
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
  app.use(cors(settings.corsOrigins))
  const asked = who({ keys, rate, requireKey: settings.requireKey, corsOrigins: settings.corsOrigins })
  app.use('/api/*', asked)
  app.use('/metrics', asked)
  app.use('/api/*', onlyJson)
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: settings.bodyBytes,
      onError: () => {
        throw new Problem('TOO_LARGE', `The body may have ${settings.bodyBytes} bytes (limit BODY_BYTES).`)
      },
    }),
  )
  const streamOut = createStreamOut(services)
  for (const routes of ROUTES) app.route('/', routes(services, streamOut))
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' })
  const describe = { openapi: '3.1.0', info: { title: 'Segno', version: settings.version } }
  app.doc31('/openapi.json', describe)
  app.get('/docs', (c) => c.html(docsPage(app.getOpenAPI31Document(describe))))
  app.get('/', (c) => c.html(frontPage(new URL(c.req.url).origin)))
  app.notFound((c) => problem(c, 'NOT_FOUND', 'There is nothing at this address; /docs tells what there is.'))
  app.onError((error, c) => {
    if (error instanceof HTTPException) return problem(c, 'VALIDATION_ERROR', error.message)
    noteDenial(services, c.get('actor'), error)
    return onError(error, c)
  })
  return app
}

/** Who was refused something is on record. What cannot be recorded now is refused all the same. */
function noteDenial({ audit }: Services, actor: Actor | undefined, error: Error): void {
  if (!actor || !(error instanceof Problem) || error.code !== 'PERMISSION_DENIED') return
  audit.denied(actor, error.code).catch(() => {})
}

/** Each request has an id, is counted, and leaves a line in the log: its route, never its address or what it says. */
function watched({ metrics, log }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    const requestId = newId()
    c.set('requestId', requestId)
    await next()
    c.header('x-request-id', requestId)
    c.header('x-content-type-options', 'nosniff')
    const { status } = c.res
    const { method } = c.req
    const route = routePath(c, -1)
    const durationMs = Math.round(performance.now() - started)
    metrics.request(method, route, status, durationMs / 1000)
    const code = c.get('problem')
    if (code !== undefined) metrics.rejected(code)
    const say = status >= 500 && status !== 503 ? log.error : log.info
    const sentence = status === 500 ? 'failed' : code === undefined ? 'request' : 'rejected'
    say(sentence, { requestId, method, route, status, durationMs, actorId: c.get('actor')?.id, code })
  }
}

const onlyJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const writes = c.req.method === 'POST' || c.req.method === 'PATCH'
  const type = c.req.header('content-type')
  if (writes && type !== undefined && !/^application\/json\s*(;|$)/i.test(type))
    throw new Problem('NOT_JSON', 'Send the body as JSON, with content-type application/json.')
  return next()
}
