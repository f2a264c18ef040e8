import { z } from '@hono/zod-openapi'
import { workspaceBody } from '../bodies.ts'
import { given } from '../given.ts'
import { body, json, newRoutes, onceHeader, optionalBody, route, type App, type Services } from '../route.ts'
import { page, workspaceSchema, workspaceWishSchema } from '../schemas.ts'

const param = z.object({ id: z.string().min(1).max(200).openapi({ description: 'id of the workspace' }) })

const list = route('chat:read', 'get /api/workspaces', {
  summary: 'The workspaces of your tenant',
  responses: { 200: json(page(workspaceSchema), 'workspaces') },
})

const create = route('workspace:manage', 'post /api/workspaces', {
  summary: 'Make a workspace: a folder, instructions, models',
  request: { headers: onceHeader, ...optionalBody(workspaceWishSchema) },
  responses: { 201: json(workspaceSchema, 'the new workspace') },
})

const get = route('chat:read', 'get /api/workspaces/{id}', {
  summary: 'One workspace',
  request: { params: param },
  responses: { 200: json(workspaceSchema, 'the workspace') },
})

const change = route('workspace:manage', 'patch /api/workspaces/{id}', {
  summary: 'Change a workspace',
  request: { params: param, ...body(workspaceWishSchema) },
  responses: { 200: json(workspaceSchema, 'the workspace') },
})

export function workspaceRoutes({ workspaces }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const all = await workspaces.list(c.get('actor'))
      return c.json({ items: all.map(workspaceBody), next: null }, 200)
    })
    .openapi(create, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(workspaceBody(await workspaces.create(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(get, async (c) =>
      c.json(workspaceBody(await workspaces.get(c.get('actor'), c.req.valid('param').id)), 200),
    )
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(workspaceBody(await workspaces.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
}
