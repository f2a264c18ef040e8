import { z } from '@hono/zod-openapi'
import { METRICS_CONTENT_TYPE } from '../../../telemetry/index.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'

const text = (type: string, description: string) => ({ description, content: { [type]: { schema: z.string() } } })

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

/** How the server is doing. */
export function serviceRoutes(services: Services): App {
  return newRoutes()
    .openapi(health, (c) => c.json({ status: 'ok' as const }, 200))
    .openapi(ready, async (c) => {
      const { reason } = await services.readiness()
      return reason === undefined ? c.json({ ready: true }, 200) : c.json({ ready: false, reason }, 503)
    })
    .openapi(metrics, (c) => c.body(services.metrics.text(), 200, { 'content-type': METRICS_CONTENT_TYPE }) as never)
}
