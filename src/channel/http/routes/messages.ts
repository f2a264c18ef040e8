import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../../../contract/actor.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Accepted, SendOptions } from '../../../round/index.ts'
import { completionBody } from '../bodies.ts'
import { cursorOf, dialectSchema, lastEventId } from '../cursors.ts'
import {
  body,
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
import { takePlace, type StreamOut } from '../stream-out.ts'
import { waitForRest } from '../wait-for-rest.ts'

const leaving = z
  .enum(['cancel'])
  .optional()
  .openapi({ description: 'cancel: the round is cancelled when the client goes away' })

const send = route('chat:write', 'post /api/sessions/{id}/messages', {
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
  },
})

const request = route('chat:write', 'post /api/sessions/{id}/request', {
  summary: 'Say something and follow the turns of the answer',
  description: 'Frames `initialized`, `turn`, `turn-completed`, `completed`, `error`.',
  request: { params: idParam, headers: onceHeader.extend(lastEventId.shape), ...body(newMessageSchema) },
  responses: { 200: streamed('the turns as they happen') },
})

/** The number of an event, or its id. */
const moment = z
  .union([
    z
      .string()
      .regex(/^\d{1,15}$/, 'expected the number of an event')
      .transform(Number),
    z.uuid(),
  ])
  .openapi({ type: 'string', description: 'the number of an event, or its id' })

const read = route('chat:read', 'get /api/sessions/{id}/messages', {
  summary: 'The conversation, now or as of an event',
  request: { params: idParam, query: z.object({ at: moment.optional() }) },
  responses: { 200: json(z.object({ items: z.array(anyObject) }), 'the messages') },
})

const remove = route('chat:write', 'delete /api/sessions/{id}/messages/{eventId}', {
  summary: 'Take a message out of the conversation',
  request: { params: idParam.extend({ eventId: z.string().min(1).max(200) }) },
  responses: {
    202: { description: 'it is stored, and out when the round that is running has ended' },
    204: { description: 'it is out' },
  },
})

export const wantsStream = (c: Context): boolean => c.req.header('accept')?.includes('text/event-stream') ?? false

/** The idempotency key of a request makes its message happen once. */
export function sendOptions(c: Context<AppEnv>, wanted: object): SendOptions {
  const key = c.req.header('idempotency-key')
  return { ...wanted, channel: 'http', ...(key !== undefined && { messageId: `http:${key}` }) }
}

/** Where the round of a message that was taken is to be found. */
export function placeOf({ state: _, ...place }: Accepted): Omit<Accepted, 'state'> {
  return place
}

export function messageRoutes(services: Services, streamOut: StreamOut): App {
  const { sessions, rounds, settings } = services

  /** How a round ended, or how it stands. What was stored is stored, also when Segno stops before its end. */
  async function answerOf(actor: Actor, sessionId: string, requestId: string) {
    try {
      const { state } = await rounds.get(actor, requestId)
      if (state !== 'ended') return { requestId, sessionId, state }
      return completionBody(await services.completion(sessionId, requestId, { actor }))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'SHUTTING_DOWN') throw error
      return { requestId, sessionId, state: 'running' as const }
    }
  }

  return newRoutes()
    .openapi(send, async (c) => {
      const { id } = c.req.valid('param')
      const { wait, outputs, dialect = 'native', onDisconnect } = c.req.valid('query')
      const { content, ...wanted } = c.req.valid('json')
      const actor = c.get('actor')
      const sending = () => rounds.send(actor, id, content, sendOptions(c, wanted))
      if (wantsStream(c)) {
        const cursor = cursorOf(c.req.valid('header')['last-event-id'])
        return streamOut(c, async () => ({
          ...placeOf(await sending()),
          dialect,
          endsAtRest: true,
          outputs: outputs === '1',
          cancelOnLeave: onDisconnect === 'cancel',
          ...(cursor && { cursor }),
        }))
      }
      const leave = wait === '1' ? takePlace(services, c) : undefined
      try {
        const accepted = await sending()
        const { requestId, state } = accepted
        if (!leave) return c.json({ requestId, sessionId: id, state }, 202)
        const left = await waitForRest(services, c, accepted, settings.waitMs)
        if (left && onDisconnect === 'cancel') await rounds.cancel(actor, id, requestId)
        const answer = await answerOf(actor, id, requestId)
        return 'content' in answer ? c.json(answer, 200) : c.json(answer, 202)
      } finally {
        leave?.()
      }
    })
    .openapi(request, async (c) => {
      const { id } = c.req.valid('param')
      const { content, ...wanted } = c.req.valid('json')
      const cursor = cursorOf(c.req.valid('header')['last-event-id'])
      return streamOut(c, async () => ({
        ...placeOf(await rounds.send(c.get('actor'), id, content, sendOptions(c, wanted))),
        dialect: 'turns',
        endsAtRest: true,
        ...(cursor && { cursor }),
      }))
    })
    .openapi(read, async (c) => {
      const items = await sessions.messages(c.get('actor'), c.req.valid('param').id, c.req.valid('query').at)
      return c.json({ items: items as unknown as never[] }, 200)
    })
    .openapi(remove, async (c) => {
      const { id, eventId } = c.req.valid('param')
      const settled = await sessions.deleteMessage(c.get('actor'), id, eventId)
      return c.body(null, settled === 'done' ? 204 : 202)
    })
}
