import { HTTPException } from 'hono/http-exception'
import { notTooDeep, notTooLarge, onlyJson } from './check-body.ts'
import { docsPage } from './docs-page.ts'
import { preflight } from './headers.ts'
import { internalRoutes, nowhere } from './internal.ts'
import { onError, problem } from './problems.ts'
import { newRoutes, type App, type Services } from './route.ts'
import { budgetRoutes } from './routes/budgets.ts'
import { catalogRoutes } from './routes/catalog.ts'
import { chatRoutes } from './routes/chat.ts'
import { chatStreamRoutes } from './routes/chats.ts'
import { clusterRoutes } from './routes/cluster.ts'
import { databaseRoutes } from './routes/database.ts'
import { downloadRoutes } from './routes/downloads.ts'
import { eventRoutes } from './routes/events.ts'
import { jobRoutes } from './routes/jobs.ts'
import { keyRoutes } from './routes/keys.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { messageRoutes } from './routes/messages.ts'
import { policyRoutes } from './routes/policy.ts'
import { preferenceRoutes } from './routes/preferences.ts'
import { promptRoutes } from './routes/prompts.ts'
import { providerRoutes } from './routes/providers.ts'
import { roundRoutes } from './routes/rounds.ts'
import { serviceRoutes } from './routes/service.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { workspaceRoutes } from './routes/workspaces.ts'
import { createStreamOut } from './stream-out.ts'
import { noteDenial, watched } from './watched.ts'
import { webPage } from './web-page.ts'
import { who } from './who.ts'

const ROUTES = [
  serviceRoutes,
  sessionRoutes,
  messageRoutes,
  eventRoutes,
  downloadRoutes,
  roundRoutes,
  chatRoutes,
  chatStreamRoutes,
  workspaceRoutes,
  promptRoutes,
  preferenceRoutes,
  keyRoutes,
  providerRoutes,
  catalogRoutes,
  policyRoutes,
  budgetRoutes,
  mcpRoutes,
  databaseRoutes,
  jobRoutes,
  clusterRoutes,
]

/** All routes, independent of any server: `fetch` takes a Request and returns a Response. */
export function createHttpApp(services: Services): App {
  const { settings } = services
  const app = newRoutes()
  app.use(watched(services))
  app.use(preflight(settings.corsOrigins))
  const asked = who(services)
  app.use('/api/*', asked)
  app.use('/metrics', asked)
  app.use('/api/*', onlyJson)
  app.use('/api/*', notTooLarge(settings.bodyBytes))
  app.use('/api/*', notTooDeep)
  const streamOut = createStreamOut(services)
  for (const routes of ROUTES) app.route('/', routes(services, streamOut))
  app.route('/internal', internalRoutes(services))
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' })
  const info = { title: 'Segno', version: settings.version }
  const description = once(() => app.getOpenAPI31Document({ openapi: '3.1.0', info }))
  const asText = once(() => JSON.stringify(description()))
  const asPage = once(() => docsPage(description()))
  app.get('/openapi.json', (c) => c.body(asText(), 200, { 'content-type': 'application/json' }))
  app.get('/docs', (c) => c.html(asPage()))
  webPage(app)
  app.notFound(nowhere)
  app.onError((error, c) => {
    // Thrown by Hono if the body is not valid JSON.
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
