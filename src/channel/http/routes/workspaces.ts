import { z } from '@hono/zod-openapi'
import type { Workspace } from '../../../contract/workspace.ts'
import { wire } from '../bodies.ts'
import { body, json, newRoutes, onceHeader, optionalBody, route, type App, type Services } from '../route.ts'
import { given, named, namedInput, page, time, words } from '../schemas.ts'

const workspaceSchema = named('Workspace', {
  id: z.string(),
  name: z.string(),
  folder: z.string(),
  folderByOwner: z.boolean().describe('the owner of the machine named it, under a root or not'),
  instructions: z.string(),
  instructionsBy: z.string().nullable().describe('who wrote them; null: nobody knows any more'),
  instructionsTrusted: z
    .boolean()
    .describe('false: words of somebody who may not manage workspaces, as text from outside'),
  models: z.array(z.string()).readonly(),
  mcpServers: z.array(z.string()).readonly(),
  createdAt: time,
  updatedAt: time,
})

const workspaceInputSchema = namedInput('WorkspaceInput', {
  name: words(200).optional(),
  folder: words(4000).optional(),
  instructions: z.string().max(2000).optional(),
  models: z.array(words(200)).max(100).optional(),
  mcpServers: z.array(words(32)).max(100).optional(),
})

const param = z.object({ id: words(200).describe('id of the workspace') })

const list = route('chat:read', 'get /api/workspaces', {
  summary: 'The workspaces of your tenant',
  responses: { 200: json(page(workspaceSchema), 'workspaces') },
})

const create = route('workspace:manage', 'post /api/workspaces', {
  summary: 'Make a workspace: a folder, instructions, models',
  request: { headers: onceHeader, ...optionalBody(workspaceInputSchema) },
  responses: { 201: json(workspaceSchema, 'the new workspace') },
})

const get = route('chat:read', 'get /api/workspaces/{id}', {
  summary: 'One workspace',
  request: { params: param },
  responses: { 200: json(workspaceSchema, 'the workspace') },
})

const change = route('workspace:manage', 'patch /api/workspaces/{id}', {
  summary: 'Change a workspace',
  request: { params: param, ...body(workspaceInputSchema) },
  responses: { 200: json(workspaceSchema, 'the workspace') },
})

const workspaceBody = ({ tenant: _, ...workspace }: Workspace) => wire(workspace)

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
