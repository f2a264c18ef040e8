import { createRoute, z } from '@hono/zod-openapi'
import { LOCAL_OWNER } from '../../../contract/actor.ts'
import type { SendOptions } from '../../../round/index.ts'
import type { Frame } from '../../../stream/index.ts'
import { nowhere } from '../native-frames.ts'
import { body, FAILURES, idParam, json, newRoutes, type App, type Services } from '../route.ts'
import { acceptedSchema, anyObject, completionBody, completionSchema, newMessageSchema } from '../schemas.ts'
import { sseResponse } from '../sse-response.ts'

const send = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/messages',
  summary: 'Say something',
  description:
    'With `Accept: text/event-stream` the round as it happens; with `?wait=1` its answer when it has ended; else at once.',
  request: {
    params: idParam,
    query: z.object({ wait: z.enum(['1']).optional(), outputs: z.enum(['1']).optional() }),
    headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
    ...body(newMessageSchema),
  },
  responses: { 200: json(completionSchema, 'the answer'), 202: json(acceptedSchema, 'it is stored'), ...FAILURES },
})

const read = createRoute({
  method: 'get',
  path: '/api/sessions/{id}/messages',
  summary: 'The conversation, now or as of an event',
  request: { params: idParam, query: z.object({ at: z.coerce.number().int().min(1).optional() }) },
  responses: { 200: json(z.object({ items: z.array(anyObject) }), 'the messages'), ...FAILURES },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}/messages/{eventId}',
  summary: 'Take a message out of the conversation',
  request: { params: idParam.extend({ eventId: z.string() }) },
  responses: { 204: { description: 'it is out' }, ...FAILURES },
})

/** A stream opened by a message ends with its round, or when the round rests. */
const RESTS = new Set(['round.ended', 'round.waiting', 'round.paused', 'session.deleted'])
const rests = (frame: Frame): boolean => frame.kind === 'event' && RESTS.has(frame.event.type)

export function messageRoutes(services: Services): App {
  const { sessions, rounds } = services
  return newRoutes()
    .openapi(send, async (c) => {
      const { id } = c.req.valid('param')
      const { wait, outputs } = c.req.valid('query')
      const { content, ...wanted } = c.req.valid('json')
      const key = c.req.valid('header')['idempotency-key']
      const options = { ...wanted, ...(key !== undefined && { messageId: `http:${key}` }) } as SendOptions
      const accepted = await rounds.send(LOCAL_OWNER, id, content, options)
      const { requestId } = accepted
      const stop = new AbortController()
      if (c.req.header('accept')?.includes('text/event-stream')) {
        const { workspaceId } = await sessions.get(LOCAL_OWNER, id)
        const frames = services.followRound(id, requestId, { signal: stop.signal })
        return sseResponse(frames, stop, {
          projectId: workspaceId,
          outputs: outputs === '1',
          place: nowhere(),
          ends: rests,
        }) as never
      }
      if (wait !== '1') return c.json(accepted, 202)
      for await (const frame of services.followRound(id, requestId, { signal: stop.signal })) if (rests(frame)) break
      const { state } = await rounds.get(LOCAL_OWNER, requestId)
      if (state !== 'ended') return c.json({ requestId, sessionId: id, state }, 202)
      return c.json(completionBody(await services.completion(id, requestId)), 200)
    })
    .openapi(read, async (c) => {
      const items = await sessions.messages(LOCAL_OWNER, c.req.valid('param').id, c.req.valid('query').at)
      return c.json({ items: items as unknown as never[] }, 200)
    })
    .openapi(remove, async (c) => {
      const { id, eventId } = c.req.valid('param')
      await sessions.deleteMessage(LOCAL_OWNER, id, eventId)
      return c.body(null, 204)
    })
}
