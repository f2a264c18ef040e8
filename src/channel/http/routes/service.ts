import { z } from '@hono/zod-openapi'
import type { MeView } from '../../../contract/views.ts'
import { METRICS_CONTENT_TYPE } from '../../../telemetry/index.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'
import { named, protocol as protocolSchema } from '../schemas.ts'

const text = (type: string, description: string) => ({ description, content: { [type]: { schema: z.string() } } })

const meSchema = named('Me', {
  id: z.string(),
  tenant: z.string(),
  permissions: z.array(z.string()),
  version: z.string(),
  model: z.string().describe('used where nobody asks for another'),
  modelChosenBecause: z.string(),
  protocol: protocolSchema.describe('used where nobody asks for the other'),
  requireKey: z.boolean(),
  limits: z.object({
    fileBytes: z.number().int(),
    messageFiles: z.number().int(),
    bodyBytes: z.number().int(),
    promptTokens: z.number().int().describe('tokens of a governed prompt that is active'),
    documentBytes: z.number().int().describe('of a document that is uploaded'),
  }),
})

const me = route('known', 'get /api/me', {
  summary: 'Who you are here, what you may, and what is used where you ask for nothing else',
  responses: { 200: json(meSchema, 'you') },
})

const health = route('anyone', 'get /health', {
  summary: 'Is the process alive?',
  responses: { 200: json(z.object({ status: z.literal('ok') }), 'it is') },
})

const ready = route('anyone', 'get /ready', {
  summary: 'Would a new message be taken?',
  responses: {
    200: json(z.object({ ready: z.boolean() }), 'it would'),
    503: json(z.object({ ready: z.boolean(), reason: z.string() }), 'not now, and why'),
  },
})

const metrics = route('audit:read', 'get /metrics', {
  summary: 'Numbers for Prometheus',
  responses: { 200: text('text/plain', 'the metrics') },
})

export function serviceRoutes(services: Services): App {
  const { model, modelChosenBecause, settings } = services
  const { version, protocol, requireKey, fileBytes, messageFiles, bodyBytes, promptTokens, documentBytes } = settings
  const here = { version, model, modelChosenBecause, protocol, requireKey }
  const limits = { fileBytes, messageFiles, bodyBytes, promptTokens, documentBytes }
  return newRoutes()
    .openapi(me, (c) => {
      const { id, tenant, permissions } = c.get('actor')
      return c.json({ id, tenant, permissions: [...permissions], ...here, limits } satisfies MeView, 200)
    })
    .openapi(health, (c) => c.json({ status: 'ok' as const }, 200))
    .openapi(ready, async (c) => {
      const { reason } = await services.readiness()
      return reason === undefined ? c.json({ ready: true }, 200) : c.json({ ready: false, reason }, 503)
    })
    .openapi(metrics, (c) => c.body(services.metrics.text(), 200, { 'content-type': METRICS_CONTENT_TYPE }) as never)
}
