import { z } from '@hono/zod-openapi'
import { MODES } from '../../../contract/outcome.ts'
import { body, json, newRoutes, route, type App, type Services } from '../route.ts'
import { given, named, someObject, words } from '../schemas.ts'

const explanationSchema = named('Explanation', {
  verdict: z.object({
    kind: z.enum(['allow', 'ask', 'refuse']),
    code: z.string().optional(),
    message: z.string().optional(),
    reason: z.string().optional(),
    rememberable: z.boolean().optional(),
  }),
  decidedBy: z.string().describe('the step of the gate'),
  because: z.string(),
  fitting: z.array(z.number()).describe('rules of the policy that fit; the first one counts'),
  estimate: z
    .object({
      cost: z.number().int().describe('micro-dollars, at most'),
      tokens: z.number().int().describe('of a model that the call asks'),
      latencyMs: z.number().int().describe('how long it may take at most'),
      confidence: z.enum(['exact', 'estimate', 'unknown', 'unpriced', 'failed']),
    })
    .optional()
    .describe('what it would cost; left out of a call that could not run anyway'),
})

const explain = route('chat:read', 'post /api/policy/explain', {
  summary: 'What would be decided about a call of yours, and why; nothing is called',
  request: body(
    z.strictObject({
      tool: words(200),
      args: someObject.default({}),
      mode: z.enum(MODES).optional(),
      workspaceId: words(200).optional(),
      tainted: z.boolean().optional().describe('suppose that the conversation holds text from outside'),
    }),
  ),
  responses: { 200: json(explanationSchema, 'the verdict and its reason') },
})

export function policyRoutes(services: Services): App {
  return newRoutes().openapi(explain, async (c) => {
    const found = await services.explain(c.get('actor'), given(c.req.valid('json')))
    return c.json({ ...found, verdict: { ...found.verdict }, fitting: [...found.fitting] } as never, 200)
  })
}
