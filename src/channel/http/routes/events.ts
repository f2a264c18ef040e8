import { createRoute, z } from '@hono/zod-openapi'
import { LOCAL_OWNER } from '../../../contract/actor.ts'
import { advance, eventBody, nowhere, type Place } from '../native-frames.ts'
import { FAILURES, idParam, json, newRoutes, type App, type Services } from '../route.ts'
import { anyObject } from '../schemas.ts'
import { sseResponse } from '../sse-response.ts'

const read = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/events',
  summary: 'Everything that happened, as a list or as a stream',
  request: {
    params: idParam,
    query: z.object({
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      round: z.string().optional(),
      outputs: z.enum(['1']).optional(),
    }),
    headers: z.object({ 'last-event-id': z.string().regex(/^\d+$/).optional() }),
  },
  responses: {
    200: json(z.object({ items: z.array(anyObject), next: z.number().int().nullable() }), 'events'),
    ...FAILURES,
  },
})

export function eventRoutes(services: Services): App {
  const { sessions } = services

  /** Turn and phase at the cursor, so that events after it say the same as they would in a whole stream. */
  async function placeAt(id: string, after: number): Promise<Place> {
    const place = nowhere()
    for (const event of after === 0 ? [] : await sessions.events(LOCAL_OWNER, id, { upTo: after }))
      advance(place, event)
    return place
  }

  return newRoutes().openapi(read, async (c) => {
    const { id } = c.req.valid('param')
    const { limit = 1000, round, outputs, after: asked } = c.req.valid('query')
    const after = Number(c.req.valid('header')['last-event-id'] ?? asked ?? 0)
    const { workspaceId } = await sessions.get(LOCAL_OWNER, id)
    const place = await placeAt(id, after)
    const options = { projectId: workspaceId, outputs: outputs === '1' }
    if (c.req.header('accept')?.includes('text/event-stream')) {
      const stop = new AbortController()
      const frames = services.follow(id, {
        after,
        signal: stop.signal,
        ...(round !== undefined && { requestId: round }),
      })
      return sseResponse(frames, stop, { ...options, place, ends: () => false }) as never
    }
    const events = await sessions.events(LOCAL_OWNER, id, { after, limit: limit + 1 })
    const items = events.slice(0, limit).flatMap((event) => {
      advance(place, event)
      return round === undefined || event.requestId === round ? [eventBody(event, place, options)] : []
    })
    return c.json({ items, next: events.length > limit ? after + limit : null }, 200)
  })
}
