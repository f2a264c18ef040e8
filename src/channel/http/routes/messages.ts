import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../../../contract/actor.ts'
import { Problem } from '../../../contract/problem.ts'
import type { SendOptions } from '../../../round/index.ts'
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
import { anyObject, dialectSchema, flag, lastEventId, named, newMessageSchema, words } from '../schemas.ts'
import { takePlace, type StreamOut } from '../stream-out.ts'
import { waitForRest } from '../wait-for-rest.ts'

const acceptedSchema = named('Accepted', {
  requestId: z.string(),
  sessionId: z.string(),
  state: z.enum(['running', 'queued', 'waiting', 'paused', 'ended']),
})

const completionSchema = named('Completion', {
  requestId: z.string(),
  sessionId: z.string(),
  content: z.string(),
  finishReason: z.string().nullable(),
  usage: anyObject,
  cost: z.number().int(),
  calls: z.array(anyObject).readonly(),
  error: z.string().optional().describe('what went wrong, if it ended with an error'),
  output: anyObject.optional().describe('the answer, if an object was asked for and it fits the schema'),
})

const leaving = z.enum(['cancel']).optional().describe('cancel: the round is cancelled when the client goes away')

const send = route('chat:write', 'post /api/sessions/{id}/messages', {
  summary: 'Say something',
  description:
    'With `Accept: text/event-stream` the round as it happens; with `?wait=1` its answer when it has ended; else at once.',
  request: {
    params: idParam,
    query: z.object({
      wait: flag,
      outputs: flag,
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

const citedSchema = z.object({
  label: z.string(),
  documentId: z.string(),
  version: z.number().int(),
  chunk: z.number().int().describe('its number in that version'),
  title: z.string().optional(),
  place: z.string().optional(),
  text: z.string().optional(),
  erased: z.literal(true).optional(),
})

const citations = route('chat:read', 'get /api/sessions/{id}/messages/{eventId}/citations', {
  summary: 'The passages that an answer cites, with their words unless they were deleted',
  request: { params: idParam.extend({ eventId: words(200) }) },
  responses: { 200: json(z.object({ items: z.array(citedSchema) }), 'by label') },
})

const remove = route('chat:write', 'delete /api/sessions/{id}/messages/{eventId}', {
  summary: 'Take a message out of the conversation',
  request: { params: idParam.extend({ eventId: words(200) }) },
  responses: {
    202: { description: 'it is stored, and out when the round that is running has ended' },
    204: { description: 'it is out' },
  },
})

export const wantsStream = (c: Context): boolean => c.req.header('accept')?.includes('text/event-stream') ?? false

export function sendOptions(c: Context<AppEnv>, wanted: object): SendOptions {
  const key = c.req.header('idempotency-key')
  return { ...wanted, channel: 'http', ...(key !== undefined && { messageId: `http:${key}` }) }
}

export function messageRoutes(services: Services, streamOut: StreamOut): App {
  const { sessions, rounds, readings, settings } = services

  /** The answer of an ended round, else its state. The message is stored even if Segno stops meanwhile. */
  async function answerOf(actor: Actor, sessionId: string, requestId: string) {
    try {
      const { state } = await rounds.get(actor, requestId)
      if (state !== 'ended') return { requestId, sessionId, state }
      return await services.completion(sessionId, requestId, { actor })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'SHUTTING_DOWN') throw error
      return { requestId, sessionId, state: 'running' as const }
    }
  }

  return newRoutes()
    .openapi(send, async (c) => {
      const { id } = c.req.valid('param')
      const { wait, outputs = false, dialect = 'native', onDisconnect } = c.req.valid('query')
      const { content, ...wanted } = c.req.valid('json')
      const actor = c.get('actor')
      const sending = () => rounds.send(actor, id, content, sendOptions(c, wanted))
      if (wantsStream(c)) {
        const cursor = c.req.valid('header')['last-event-id']
        return streamOut(c, async () => ({
          ...(await sending()),
          dialect,
          endsAtRest: true,
          outputs,
          cancelOnLeave: onDisconnect === 'cancel',
          cursor,
        }))
      }
      const leave = wait ? takePlace(services, c) : undefined
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
      const cursor = c.req.valid('header')['last-event-id']
      return streamOut(c, async () => ({
        ...(await rounds.send(c.get('actor'), id, content, sendOptions(c, wanted))),
        dialect: 'turns',
        endsAtRest: true,
        cursor,
      }))
    })
    .openapi(read, async (c) => {
      const items = await sessions.messages(c.get('actor'), c.req.valid('param').id, c.req.valid('query').at)
      return c.json({ items: items as unknown as never[] }, 200)
    })
    .openapi(citations, async (c) => {
      const { id, eventId } = c.req.valid('param')
      return c.json({ items: [...(await readings.citations(c.get('actor'), id, eventId))] }, 200)
    })
    .openapi(remove, async (c) => {
      const { id, eventId } = c.req.valid('param')
      const settled = await sessions.deleteMessage(c.get('actor'), id, eventId)
      return c.body(null, settled === 'done' ? 204 : 202)
    })
}
