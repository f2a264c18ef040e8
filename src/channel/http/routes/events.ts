import { z } from '@hono/zod-openapi'
import { Problem } from '../../../contract/problem.ts'
import { idParam, jsonOrStream, newRoutes, route, type App, type Services } from '../route.ts'
import { anyObject, dialectSchema, flag, given, lastEventId, streamCursor, words } from '../schemas.ts'
import type { StreamOut } from '../stream-out.ts'
import { wantsStream } from './messages.ts'

const read = route('chat:read', 'get /api/sessions/{id}/events', {
  summary: 'The log of a conversation, as a page or as a stream',
  description:
    'With `Accept: text/event-stream` stored events after the cursor, then live ones with the deltas in between.',
  request: {
    params: idParam,
    query: z.object({
      after: streamCursor('expected the number of an event'),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      round: words(200).optional(),
      outputs: flag,
      dialect: dialectSchema.optional(),
    }),
    headers: lastEventId,
  },
  responses: {
    200: jsonOrStream(z.object({ items: z.array(anyObject), next: z.number().int().nullable() }), 'events'),
  },
})

export function eventRoutes(services: Services, streamOut: StreamOut): App {
  return newRoutes().openapi(read, async (c) => {
    const { id } = c.req.valid('param')
    const { limit = 1000, round, outputs = false, after, dialect = 'native' } = c.req.valid('query')
    const cursor = c.req.valid('header')['last-event-id'] ?? after
    const { seq, workspaceId } = await services.sessions.get(c.get('actor'), id)
    if (cursor && cursor.seq > seq)
      throw new Problem('CONFLICT', `The log ends with event ${seq}; there is no event ${cursor.seq} to go on from.`)
    const end = round === undefined ? undefined : (await services.rounds.inSession(c.get('actor'), id, round)).endSeq
    const wanted = given({ sessionId: id, requestId: round, outputs })
    if (wantsStream(c)) return streamOut(c, () => ({ ...wanted, workspaceId, dialect, cursor }))
    const page = given({ ...wanted, after: cursor?.seq ?? 0, limit, upTo: end })
    const { items, next } = await services.eventPage(c.get('actor'), page)
    return c.json({ items: items as never[], next }, 200)
  })
}
