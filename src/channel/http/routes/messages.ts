import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { SendOptions } from '../../../round/index.ts'
import { completionBody } from '../bodies.ts'
import { cursorOf, dialectSchema, lastEventId } from '../cursors.ts'
import {
  body,
  FAILURES,
  idParam,
  json,
  jsonOrStream,
  newRoutes,
  onceHeader,
  route,
  streamed,
  type App,
  type AppEnv,
  type Services,
} from '../route.ts'
import { acceptedSchema, anyObject, completionSchema, newMessageSchema } from '../schemas.ts'
import type { StreamOut } from '../stream-out.ts'
import { waitForRest } from '../wait-for-rest.ts'

const leaving = z
  .enum(['cancel'])
  .optional()
  .openapi({ description: 'cancel: the round is cancelled when the client goes away' })

const send = route('chat:write', {
  method: 'post',
  path: '/api/sessions/{id}/messages',
  summary: 'Say something',
  description:
    'With `Accept: text/event-stream` the round as it happens; with `?wait=1` its answer when it has ended; else at once.',
  request: {
    params: idParam,
    query: z.object({
      wait: z.enum(['1']).optional(),
      outputs: z.enum(['1']).optional(),
      dialect: dialectSchema.optional(),
      onDisconnect: leaving,
    }),
    headers: onceHeader.extend(lastEventId.shape),
    ...body(newMessageSchema),
  },
  responses: {
    200: jsonOrStream(completionSchema, 'the answer, or the round as it happens'),
    202: json(acceptedSchema, 'it is stored'),
    ...FAILURES,
  },
})

const request = route('chat:write', {
  method: 'post',
  path: '/api/sessions/{id}/request',
  summary: 'Say something and follow the turns of the answer',
  description: 'Frames `initialized`, `turn`, `turn-completed`, `completed`, `error`.',
  request: { params: idParam, headers: onceHeader.extend(lastEventId.shape), ...body(newMessageSchema) },
  responses: { 200: streamed('the turns as they happen'), ...FAILURES },
})

const read = route('chat:read', {
  method: 'get',
  path: '/api/sessions/{id}/messages',
  summary: 'The conversation, now or as of an event',
  request: { params: idParam, query: z.object({ at: z.coerce.number().int().min(1).optional() }) },
  responses: { 200: json(z.object({ items: z.array(anyObject) }), 'the messages'), ...FAILURES },
})

const remove = route('chat:write', {
  method: 'delete',
  path: '/api/sessions/{id}/messages/{eventId}',
  summary: 'Take a message out of the conversation',
  request: { params: idParam.extend({ eventId: z.string().min(1).max(200) }) },
  responses: { 204: { description: 'it is out' }, ...FAILURES },
})

export const wantsStream = (c: Context): boolean => c.req.header('accept')?.includes('text/event-stream') ?? false

/** The idempotency key of a request makes its message happen once. */
export function sendOptions(c: Context<AppEnv>, wanted: object): SendOptions {
  const key = c.req.header('idempotency-key')
  return { ...wanted, ...(key !== undefined && { messageId: `http:${key}` }) }
}

export function messageRoutes(services: Services, streamOut: StreamOut): App {
  const { sessions, rounds, settings } = services
  return newRoutes()
    .openapi(send, async (c) => {
      const { id } = c.req.valid('param')
      const { wait, outputs, dialect = 'native', onDisconnect } = c.req.valid('query')
      const { content, ...wanted } = c.req.valid('json')
      const actor = c.get('actor')
      const accepted = await rounds.send(actor, id, content, sendOptions(c, wanted))
      const { requestId, state, ...where } = accepted
      if (wantsStream(c)) {
        const cursor = cursorOf(c.req.valid('header')['last-event-id'])
        return streamOut(c, {
          ...where,
          requestId,
          dialect,
          endsAtRest: true,
          outputs: outputs === '1',
          cancelOnLeave: onDisconnect === 'cancel',
          ...(cursor && { cursor }),
        })
      }
      if (wait !== '1') return c.json({ requestId, sessionId: id, state }, 202)
      const left = await waitForRest(services, c, accepted, settings.waitMs)
      if (left && onDisconnect === 'cancel') await rounds.cancel(actor, id, requestId)
      const { state: now } = await rounds.get(actor, requestId)
      if (now !== 'ended') return c.json({ requestId, sessionId: id, state: now }, 202)
      return c.json(completionBody(await services.completion(id, requestId, { actor })), 200)
    })
    .openapi(request, async (c) => {
      const { id } = c.req.valid('param')
      const { content, ...wanted } = c.req.valid('json')
      const { state: _, ...sent } = await rounds.send(c.get('actor'), id, content, sendOptions(c, wanted))
      const cursor = cursorOf(c.req.valid('header')['last-event-id'])
      const wish = { ...sent, dialect: 'turns', endsAtRest: true } as const
      return streamOut(c, { ...wish, ...(cursor && { cursor }) })
    })
    .openapi(read, async (c) => {
      const items = await sessions.messages(c.get('actor'), c.req.valid('param').id, c.req.valid('query').at)
      return c.json({ items: items as unknown as never[] }, 200)
    })
    .openapi(remove, async (c) => {
      const { id, eventId } = c.req.valid('param')
      await sessions.deleteMessage(c.get('actor'), id, eventId)
      return c.body(null, 204)
    })
}
