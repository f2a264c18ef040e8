import { createRoute, z } from '@hono/zod-openapi'
import { LOCAL_OWNER } from '../../../contract/actor.ts'
import { body, FAILURES, idParam, json, newRoutes, type App, type Services } from '../route.ts'
import { newSessionSchema, sessionBody, sessionChangesSchema, sessionSchema } from '../schemas.ts'

const create = createRoute({
  method: 'post',
  path: '/api/sessions',
  summary: 'Start a conversation',
  request: body(newSessionSchema),
  responses: { 201: json(sessionSchema, 'the new session'), ...FAILURES },
})

const list = createRoute({
  method: 'get',
  path: '/api/sessions',
  summary: 'List conversations, newest first',
  request: {
    query: z.object({
      cursor: z.string().regex(/^\d+$/).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
      archived: z.enum(['true', 'false']).optional(),
    }),
  },
  responses: {
    200: json(z.object({ items: z.array(sessionSchema), next: z.string().nullable() }), 'a page of sessions'),
    ...FAILURES,
  },
})

const get = createRoute({
  method: 'get',
  path: '/api/sessions/{id}',
  summary: 'One conversation',
  request: { params: idParam },
  responses: { 200: json(sessionSchema, 'the session'), ...FAILURES },
})

const change = createRoute({
  method: 'patch',
  path: '/api/sessions/{id}',
  summary: 'Rename, archive, or set its model or protocol',
  request: { params: idParam, ...body(sessionChangesSchema) },
  responses: { 200: json(sessionSchema, 'the session'), ...FAILURES },
})

const remove = createRoute({
  method: 'delete',
  path: '/api/sessions/{id}',
  summary: 'Delete a conversation and its content',
  request: { params: idParam },
  responses: { 204: { description: 'it is gone' }, ...FAILURES },
})

const fork = createRoute({
  method: 'post',
  path: '/api/sessions/{id}/fork',
  summary: 'Go on from an earlier event in a new conversation',
  request: {
    params: idParam,
    ...body(z.strictObject({ seq: z.number().int().min(1), title: z.string().min(1).max(200).optional() })),
  },
  responses: { 201: json(sessionSchema, 'the new session'), ...FAILURES },
})

const act = <Action extends string>(action: Action, summary: string) =>
  createRoute({
    method: 'post',
    path: `/api/sessions/{id}/${action}`,
    summary,
    request: { params: idParam },
    responses: { 200: json(sessionSchema, 'the session'), ...FAILURES },
  })

export function sessionRoutes({ sessions }: Services): App {
  const one = async (id: string) => sessionBody(await sessions.get(LOCAL_OWNER, id))
  return newRoutes()
    .openapi(create, async (c) => {
      const { workspaceId, title, model, protocol } = c.req.valid('json')
      const made = await sessions.create(LOCAL_OWNER, {
        ...(workspaceId !== undefined && { workspaceId }),
        ...(title !== undefined && { title }),
        ...(model !== undefined && { model }),
        ...(protocol !== undefined && { protocol }),
      })
      return c.json(sessionBody(made), 201)
    })
    .openapi(list, async (c) => {
      const { cursor, limit, archived } = c.req.valid('query')
      const page = await sessions.list(LOCAL_OWNER, {
        ...(cursor !== undefined && { cursor }),
        ...(limit !== undefined && { limit }),
        ...(archived !== undefined && { archived: archived === 'true' }),
      })
      return c.json({ items: page.items.map(sessionBody), next: page.next }, 200)
    })
    .openapi(get, async (c) => c.json(await one(c.req.valid('param').id), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      const { title, model, protocol, archived } = c.req.valid('json')
      await sessions.change(LOCAL_OWNER, id, {
        ...(title !== undefined && { title }),
        ...(model !== undefined && { model }),
        ...(protocol !== undefined && { protocol }),
        ...(archived !== undefined && { archived }),
      })
      return c.json(await one(id), 200)
    })
    .openapi(remove, async (c) => {
      await sessions.delete(LOCAL_OWNER, c.req.valid('param').id)
      return c.body(null, 204)
    })
    .openapi(fork, async (c) => {
      const { seq, title } = c.req.valid('json')
      return c.json(sessionBody(await sessions.fork(LOCAL_OWNER, c.req.valid('param').id, seq, title)), 201)
    })
    .openapi(act('clear', 'Start with a fresh context; the log stays'), async (c) => {
      const { id } = c.req.valid('param')
      await sessions.clear(LOCAL_OWNER, id)
      return c.json(await one(id), 200)
    })
    .openapi(act('archive', 'Put a conversation away'), async (c) => {
      const { id } = c.req.valid('param')
      await sessions.archive(LOCAL_OWNER, id)
      return c.json(await one(id), 200)
    })
}
