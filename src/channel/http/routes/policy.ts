import { z } from '@hono/zod-openapi'
import { MODES } from '../../../contract/outcome.ts'
import { given } from '../given.ts'
import { body, json, newRoutes, route, type App, type Services } from '../route.ts'
import { explanationSchema, someObject } from '../schemas.ts'

const explain = route('chat:read', 'post /api/policy/explain', {
  summary: 'What would be decided about a call of yours, and why; nothing is called',
  request: body(
    z.strictObject({
      tool: z.string().min(1).max(200),
      args: someObject.default({}),
      mode: z.enum(MODES).optional(),
      workspaceId: z.string().min(1).max(200).optional(),
      tainted: z.boolean().optional().openapi({ description: 'suppose that the conversation holds text from outside' }),
    }),
  ),
  responses: { 200: json(explanationSchema, 'the verdict and its reason') },
})

/** The rules of the gate, for those who want to know before they try. */
export function policyRoutes(services: Services): App {
  return newRoutes().openapi(explain, async (c) => {
    const found = await services.explain(c.get('actor'), given(c.req.valid('json')))
    return c.json({ ...found, verdict: { ...found.verdict }, fitting: [...found.fitting] } as never, 200)
  })
}
