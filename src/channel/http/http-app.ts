import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { Problem } from '../../contract/problem.ts'
import { bodyMayHave, byKind, notTooDeep, notTooLarge, onlyJson } from './check-body.ts'
import { docsPage } from './docs-page.ts'
import { preflight } from './headers.ts'
import { internalRoutes, nowhere } from './internal.ts'
import { onError, problem } from './problems.ts'
import { bytesFirst } from './proof.ts'
import { newRoutes, type App, type AppEnv, type Services } from './route.ts'
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
import { knowledgeRoutes } from './routes/knowledge.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { memoryRoutes } from './routes/memories.ts'
import { messageRoutes } from './routes/messages.ts'
import { policyRoutes } from './routes/policy.ts'
import { preferenceRoutes } from './routes/preferences.ts'
import { promptRoutes } from './routes/prompts.ts'
import { providerRoutes } from './routes/providers.ts'
import { hookRoutes } from './routes/hooks.ts'
import { invocationRoutes } from './routes/invocations.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { triggerRoutes } from './routes/triggers.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { workflowRoutes } from './routes/workflows.ts'
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
  knowledgeRoutes,
  preferenceRoutes,
  memoryRoutes,
  keyRoutes,
  providerRoutes,
  catalogRoutes,
  policyRoutes,
  budgetRoutes,
  mcpRoutes,
  workflowRoutes,
  invocationRoutes,
  webhookRoutes,
  hookRoutes,
  triggerRoutes,
  scheduleRoutes,
  databaseRoutes,
  jobRoutes,
  clusterRoutes,
]

/** What an upload may have besides the document. */
const FIELD_BYTES = 64 * 1024

/** All routes, independent of any server: `fetch` takes a Request and returns a Response. */
export function createHttpApp(services: Services): App {
  const { settings } = services
  const app = newRoutes()
  app.use(watched(services))
  app.use(preflight(settings.corsOrigins))
  const asked = who(services)
  app.use('/api/*', asked)
  app.use('/metrics', asked)
  const { documentBytes, answerBytes } = settings
  const documentMayHave = `A document may have ${documentBytes.toLocaleString('en-US')} bytes (limit DOCUMENT_BYTES); split it.`
  app.use('/api/*', byKind(onlyJson))
  app.use('/api/*', byKind(notTooLarge(settings.bodyBytes), notTooLarge(documentBytes + FIELD_BYTES, documentMayHave)))
  app.use('/api/invocations/*', notTooLarge(answerBytes, bodyMayHave(answerBytes, 'WORKFLOW_ANSWER_BYTES')))
  app.use('/api/*', bytesFirst)
  app.use('/api/*', byKind(notTooDeep))
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
    if (!(error instanceof Problem) && hasLeft(c))
      return problem(c, 'VALIDATION_ERROR', 'The request broke off before all of its body was there. Send it again.')
    noteDenial(services, c.get('actor'), error)
    return onError(error, c)
  })
  return app
}

/** Whether the client left before it had sent everything. */
const hasLeft = ({ env }: Context<AppEnv>): boolean => env?.incoming?.destroyed === true && !env.incoming.complete

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
