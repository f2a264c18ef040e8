import { z } from '@hono/zod-openapi'
import { FINISH_REASONS, PROTOCOLS } from '../../../contract/outcome.ts'
import { listedRoundBody } from '../bodies.ts'
import { given } from '../given.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'
import { cursor, listedRoundSchema, page } from '../schemas.ts'

const STATES = ['queued', 'running', 'waiting', 'paused', 'ended'] as const
const states = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(STATES)))
  .openapi({ type: 'string', description: `some of ${STATES.join(',')}` })

const list = route('chat:read', 'get /api/rounds', {
  summary: 'Your rounds, newest first; with all=1 those of everybody (needs user:read)',
  description: 'Filters combine. Messages that wait to become rounds come first, beside the limit.',
  request: {
    query: z.object({
      state: states.optional(),
      session: z.string().min(1).max(200).optional(),
      finishReason: z.enum(FINISH_REASONS).optional(),
      model: z.string().min(1).max(200).optional(),
      protocol: z.enum(PROTOCOLS).optional(),
      since: z.iso
        .datetime({ offset: true })
        .optional()
        .openapi({ description: 'started then or later: a time such as 2026-11-15T00:00:00Z' }),
      all: z.enum(['1']).optional(),
      cursor: cursor(/^\d{1,15}\.\d{1,16}$/),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
  },
  responses: { 200: json(page(listedRoundSchema), 'a page of rounds') },
})

export function roundListRoutes({ rounds }: Services): App {
  return newRoutes().openapi(list, async (c) => {
    const { state, session, since, all, ...query } = c.req.valid('query')
    const { items, next } = await rounds.list(
      c.get('actor'),
      given({
        ...query,
        states: state,
        sessionId: session,
        since: since === undefined ? since : Date.parse(since),
        all: all && true,
      }),
    )
    return c.json({ items: items.map(listedRoundBody), next }, 200)
  })
}
