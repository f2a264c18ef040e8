import { z } from '@hono/zod-openapi'
import { FAILURES, json, newRoutes, route, type App, type Services } from '../route.ts'

const check = route('*', {
  method: 'get',
  path: '/api/db/check',
  summary: 'Is the database sound, and does everything in it agree with the logs?',
  responses: {
    200: json(
      z.object({
        ok: z.boolean(),
        sessions: z.number().int(),
        events: z.number().int(),
        findings: z.array(z.string()),
      }),
      'what was found; it is all well where `ok` is true',
    ),
    ...FAILURES,
  },
})

const bytes = z.number().int().openapi({ description: 'bytes' })
const compact = route('*', {
  method: 'post',
  path: '/api/db/compact',
  summary: 'Give what was erased back to the disk',
  description: 'Everything else waits while it is done; nothing is lost.',
  responses: { 200: json(z.object({ before: bytes, after: bytes, freed: bytes }), 'what it brought'), ...FAILURES },
})

/** The database itself, for who may do everything. */
export function databaseRoutes(services: Services): App {
  return newRoutes()
    .openapi(check, async (c) => {
      const { findings, ...report } = await services.check()
      return c.json({ ...report, findings: [...findings] }, 200)
    })
    .openapi(compact, async (c) => c.json({ ...(await services.compact()) }, 200))
}
