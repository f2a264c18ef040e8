import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../../../contract/actor.ts'
import { sessionBody } from '../bodies.ts'
import {
  body,
  idParam,
  json,
  newRoutes,
  noContent,
  onceHeader,
  optionalBody,
  route,
  type App,
  type Services,
} from '../route.ts'
import { changedParamFields } from '../param-fields.ts'
import { byTime, given, named, namedInput, newSessionSchema, page, protocol, sessionSchema, words } from '../schemas.ts'

const importSchema = newSessionSchema
  .omit({ alias: true })
  .extend({ log: z.string().min(1).describe('an event log, a JSON object on each line') })
  .openapi('Import')

const sessionChangesSchema = namedInput('SessionChanges', {
  title: words(200).optional(),
  model: words(200).nullable().optional(),
  protocol: protocol.nullable().optional(),
  archived: z.boolean().optional(),
  ...changedParamFields,
})

const promptSchema = named('Prompt', {
  sessionId: z.string(),
  systemPrompt: z.string(),
  layers: z
    .array(z.object({ name: z.string(), text: z.string(), tokens: z.number().int(), hash: z.string() }))
    .readonly(),
  messages: z.number().int(),
})

const create = route('chat:write', 'post /api/sessions', {
  summary: 'Start a conversation',
  request: { headers: onceHeader, ...optionalBody(newSessionSchema) },
  responses: { 201: json(sessionSchema, 'the new session') },
})

const importing = route('chat:write', 'post /api/import', {
  summary: 'Go on with a conversation of another system',
  description:
    'Events `message.user`, `message.assistant`, `tool.call`, `tool.result`, `message.deleted`, `compact.summary`, ' +
    '`context.cleared`, in whatever order calls and messages have. All of it is stored or none; nothing of it is executed.',
  request: { headers: onceHeader, ...body(importSchema) },
  responses: { 201: json(sessionSchema, 'the new session') },
})

const list = route('chat:read', 'get /api/sessions', {
  summary: 'List conversations, the last used first',
  request: {
    query: z.object({
      ...byTime,
      archived: z.enum(['true', 'false']).optional(),
      alias: words(200).optional().describe('only the one with this alias'),
      search: z.string().max(200).optional().describe('words that are all in the title'),
    }),
  },
  responses: { 200: json(page(sessionSchema), 'a page of sessions') },
})

const get = route('chat:read', 'get /api/sessions/{id}', {
  summary: 'One conversation',
  request: { params: idParam },
  responses: { 200: json(sessionSchema, 'the session') },
})

const treeSchema = z.object({
  root: z.string().describe('where all of them come from; it may be deleted'),
  items: z.array(sessionSchema),
})

const tree = route('chat:read', 'get /api/sessions/{id}/tree', {
  summary: 'A conversation with everything that was forked from it, or from what it was forked from',
  request: { params: idParam },
  responses: { 200: json(treeSchema, 'sessions, oldest first; `parent` says where each was forked') },
})

const prompt = route('chat:read', 'get /api/sessions/{id}/prompt', {
  summary: 'What a model would be told, layer by layer',
  request: { params: idParam },
  responses: { 200: json(promptSchema, 'the layers') },
})

const change = route('chat:write', 'patch /api/sessions/{id}', {
  summary: 'Rename, archive, or set its model, its protocol or how it answers',
  request: { params: idParam, ...body(sessionChangesSchema) },
  responses: { 200: json(sessionSchema, 'the session') },
})

const remove = route('chat:write', 'delete /api/sessions/{id}', {
  summary: 'Delete a conversation and its content',
  request: { params: idParam },
  responses: { 204: { description: 'it is gone' } },
})

const fork = route('chat:write', 'post /api/sessions/{id}/fork', {
  summary: 'Go on from an earlier event in a new conversation',
  request: {
    params: idParam,
    headers: onceHeader,
    ...body(
      z.strictObject({
        seq: z.number().int().min(1),
        title: words(200).optional(),
        promptId: words(200).optional().describe('a draft of yours to try there, in plan mode only'),
      }),
    ),
  },
  responses: { 201: json(sessionSchema, 'the new session') },
})

const act = <Action extends string>(action: Action, summary: string) =>
  route('chat:write', `post /api/sessions/{id}/${action}`, {
    summary,
    request: { params: idParam },
    responses: {
      200: json(sessionSchema, 'the session'),
      202: json(sessionSchema, 'it is stored, and done when the round that is running has ended'),
    },
  })

const compact = route('chat:write', 'post /api/sessions/{id}/compact', {
  summary: 'Let a model summarise what was said; the log stays',
  request: { params: idParam },
  responses: { 202: json(sessionSchema, 'it is stored, and done when no round is running') },
})

export function sessionRoutes({ sessions, readings }: Services): App {
  const one = async (actor: Actor, id: string) => sessionBody(await sessions.get(actor, id))
  const once = (c: Context): string | undefined => c.req.header('idempotency-key')
  return newRoutes()
    .openapi(create, async (c) => {
      const made = await sessions.create(c.get('actor'), given(c.req.valid('json')), once(c))
      return c.json(sessionBody(made), 201)
    })
    .openapi(importing, async (c) => {
      const { log, ...wanted } = c.req.valid('json')
      return c.json(sessionBody(await sessions.import(c.get('actor'), log, given(wanted), once(c))), 201)
    })
    .openapi(list, async (c) => {
      const { archived, alias, ...query } = c.req.valid('query')
      if (alias !== undefined) {
        const named = await sessions.byAlias(c.get('actor'), alias)
        return c.json({ items: named ? [sessionBody(named)] : [], next: null }, 200)
      }
      const wanted = archived === undefined ? undefined : archived === 'true'
      const found = await sessions.list(c.get('actor'), given({ ...query, archived: wanted }))
      return c.json({ items: found.items.map(sessionBody), next: found.next }, 200)
    })
    .openapi(get, async (c) => c.json(await one(c.get('actor'), c.req.valid('param').id), 200))
    .openapi(tree, async (c) => {
      const { root, items } = await sessions.family(c.get('actor'), c.req.valid('param').id)
      return c.json({ root, items: items.map(sessionBody) }, 200)
    })
    .openapi(prompt, async (c) => {
      return c.json(await readings.prompt(c.get('actor'), c.req.valid('param').id), 200)
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      await sessions.change(c.get('actor'), id, given(c.req.valid('json')))
      return c.json(await one(c.get('actor'), id), 200)
    })
    .openapi(remove, (c) => noContent(c, sessions.delete(c.get('actor'), c.req.valid('param').id)))
    .openapi(fork, async (c) => {
      const { seq, title, promptId } = c.req.valid('json')
      const forked = await sessions.fork(c.get('actor'), c.req.valid('param').id, seq, title, once(c), promptId)
      return c.json(sessionBody(forked), 201)
    })
    .openapi(act('clear', 'Start with a fresh context; the log stays'), async (c) => {
      const { id } = c.req.valid('param')
      const settled = await sessions.clear(c.get('actor'), id)
      return c.json(await one(c.get('actor'), id), settled === 'done' ? 200 : 202)
    })
    .openapi(compact, async (c) => {
      const { id } = c.req.valid('param')
      await sessions.compact(c.get('actor'), id)
      return c.json(await one(c.get('actor'), id), 202)
    })
    .openapi(act('archive', 'Put a conversation away'), async (c) => {
      const { id } = c.req.valid('param')
      await sessions.archive(c.get('actor'), id)
      return c.json(await one(c.get('actor'), id), 200)
    })
}
