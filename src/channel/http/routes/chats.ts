import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { Problem } from '../../../contract/problem.ts'
import type { Cursor } from '../../../stream/index.ts'
import {
  body,
  idParam,
  newRoutes,
  onceHeader,
  route,
  streamed,
  type App,
  type AppEnv,
  type Services,
} from '../route.ts'
import { lastEventId, newMessageSchema, words } from '../schemas.ts'
import type { StreamOut, StreamQuery } from '../stream-out.ts'
import { sendOptions } from './messages.ts'

const FRAMES =
  'Frames `message.start`, `message.delta`, `tool.start`, `tool.complete`, `message.complete`, `done`, `error`, each ' +
  '`{type, data}`. With `Last-Event-ID` nothing is sent: the stream goes on after that frame.'

const post = route('chat:write', 'post /api/chats/{id}/stream', {
  summary: 'Say something and follow the answer in the chat dialect',
  description: FRAMES,
  request: { params: idParam, headers: onceHeader.extend(lastEventId.shape), ...body(newMessageSchema) },
  responses: { 200: streamed('the chat as it happens'), 204: { description: 'there is no more' } },
})

const simple = route('chat:write', 'get /api/chats/{id}/stream', {
  summary: 'The same for clients that can only GET, such as EventSource',
  description:
    `${FRAMES} Without \`key\` an equal message whose round runs, or ended less than a minute ago, is joined and ` +
    'not sent again. 204 tells an EventSource not to come back.',
  request: {
    params: idParam,
    query: z.object({
      message: z.string().optional(),
      key: words(200).optional().describe('idempotency key of the message'),
    }),
    headers: lastEventId,
  },
  responses: { 200: streamed('the chat as it happens'), 204: { description: 'there is no more' } },
})

export function chatStreamRoutes(services: Services, streamOut: StreamOut): App {
  const { rounds } = services
  const dialect = 'chat'

  /** Continues the round of an earlier frame. */
  async function rest(c: Context<AppEnv>, cursor: Cursor, more: Pick<StreamQuery, 'sessionId' | 'endsAtRest'>) {
    const requestId = await rounds.after(c.get('actor'), more.sessionId, cursor.seq)
    return requestId ? streamOut(c, () => ({ ...more, requestId, dialect, cursor })) : c.body(null, 204)
  }

  return newRoutes()
    .openapi(post, async (c) => {
      const { id } = c.req.valid('param')
      const { content, ...wanted } = c.req.valid('json')
      const cursor = c.req.valid('header')['last-event-id']
      if (cursor) return rest(c, cursor, { sessionId: id, endsAtRest: true })
      return streamOut(c, async () => ({
        ...(await rounds.send(c.get('actor'), id, content, sendOptions(c, wanted))),
        dialect,
        endsAtRest: true,
      }))
    })
    .openapi(simple, async (c) => {
      const { id } = c.req.valid('param')
      const { message, key } = c.req.valid('query')
      const cursor = c.req.valid('header')['last-event-id']
      if (cursor) return rest(c, cursor, { sessionId: id })
      if (message === undefined)
        throw new Problem('VALIDATION_ERROR', 'message: say something, or send Last-Event-ID to follow.', {
          field: 'message',
        })
      const send = () =>
        key === undefined
          ? rounds.sendOrJoin(c.get('actor'), id, message, 'http')
          : rounds.send(c.get('actor'), id, message, { channel: 'http', messageId: `http:${key}` })
      return streamOut(c, async () => ({ ...(await send()), dialect }))
    })
}
