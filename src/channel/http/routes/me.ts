import { z } from '@hono/zod-openapi'
import { PROTOCOLS } from '../../../contract/outcome.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'

const meSchema = z
  .object({
    id: z.string(),
    tenant: z.string(),
    permissions: z.array(z.string()),
    version: z.string(),
    model: z.string().openapi({ description: 'used where nobody asks for another' }),
    modelChosenBecause: z.string(),
    protocol: z.enum(PROTOCOLS).openapi({ description: 'used where nobody asks for the other' }),
    requireKey: z.boolean(),
    limits: z.object({
      fileBytes: z.number().int(),
      messageFiles: z.number().int(),
      bodyBytes: z.number().int(),
    }),
  })
  .openapi('Me')

const me = route('known', 'get /api/me', {
  summary: 'Who you are here, what you may, and what is used where you ask for nothing else',
  responses: { 200: json(meSchema, 'you') },
})

/** What a client asks first. */
export function meRoutes({ model, modelChosenBecause, settings }: Services): App {
  const { version, protocol, requireKey, fileBytes, messageFiles, bodyBytes } = settings
  const here = { version, model, modelChosenBecause, protocol, requireKey }
  const limits = { fileBytes, messageFiles, bodyBytes }
  return newRoutes().openapi(me, (c) => {
    const { id, tenant, permissions } = c.get('actor')
    return c.json({ id, tenant, permissions: [...permissions], ...here, limits }, 200)
  })
}
