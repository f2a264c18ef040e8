import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { newId } from '../../lib/id.ts'
import { localOnly } from './local-only.ts'
import { onError, problem } from './problems.ts'
import { newRoutes, type App, type AppEnv, type Services } from './route.ts'
import { eventRoutes } from './routes/events.ts'
import { messageRoutes } from './routes/messages.ts'
import { roundRoutes } from './routes/rounds.ts'
import { sessionRoutes } from './routes/sessions.ts'

/** Every route there is. It knows no server: `fetch` takes a Request and gives a Response. */
export function createHttpApp(services: Services, bodyBytes: number): App {
  const app = newRoutes()
  app.use(async (c, next) => {
    c.set('requestId', newId())
    await next()
    c.header('x-request-id', c.get('requestId'))
    c.header('x-content-type-options', 'nosniff')
  })
  app.get('/health', (c) => c.json({ status: 'ok' }))
  app.get('/ready', (c) => {
    const ready = services.ready()
    return c.json({ ready }, ready ? 200 : 503)
  })
  app.use('/api/*', localOnly)
  app.use('/api/*', async (c: Context<AppEnv>, next) => {
    const writes = c.req.method === 'POST' || c.req.method === 'PATCH'
    const type = c.req.header('content-type')
    if (writes && type !== undefined && !type.startsWith('application/json')) {
      return problem(c, 415, 'NOT_JSON', 'Send the body as JSON, with content-type application/json.')
    }
    return next()
  })
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: bodyBytes,
      onError: (c) => problem(c, 413, 'TOO_LARGE', `The body may have ${bodyBytes} bytes (limit BODY_BYTES).`),
    }),
  )
  for (const routes of [sessionRoutes, messageRoutes, eventRoutes, roundRoutes]) app.route('/', routes(services))
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Segno', version: '0.1.0' } })
  app.notFound((c) => problem(c, 404, 'NOT_FOUND', 'There is nothing at this address.'))
  app.onError((error, c) =>
    error instanceof HTTPException ? problem(c, error.status, 'VALIDATION_ERROR', error.message) : onError(error, c),
  )
  return app
}
