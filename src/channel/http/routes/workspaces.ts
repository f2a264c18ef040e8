import { z } from '@hono/zod-openapi'
import type { ContextView, Workspace } from '../../../contract/workspace.ts'
import { MOST_CALLS, MOST_FILES, NAME_CHARS, PATH_CHARS } from '../../../workspace/index.ts'
import { wire } from '../bodies.ts'
import { body, json, newRoutes, onceHeader, optionalBody, route, type App, type Services } from '../route.ts'
import { anyObject, given, named, namedInput, page, someObject, time, words } from '../schemas.ts'

const callFields = {
  name: words(NAME_CHARS),
  server: words(32).describe('a name of SEGNO_MCP'),
  tool: words(PATH_CHARS).describe('as the server calls it; it must be declared `pure` and need no approval'),
  args: anyObject,
  everyMs: z.number().int().describe('how old its result may get'),
}

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
  files: z.array(z.string()).readonly().describe('text files of the folder that the model is told'),
  dynamicContext: z.array(named('ContextCall', callFields)).readonly().describe('calls whose results it is told'),
  promptSettings: z
    .object({ metadata: z.boolean(), systemInfo: z.boolean(), date: z.boolean() })
    .describe('which of its workspace, the system and the date it is told'),
  createdAt: time,
  updatedAt: time,
})

const fields = {
  name: words(200).optional(),
  folder: words(4000).optional(),
  instructions: z.string().max(2000).optional(),
  models: z.array(words(200)).max(100).optional(),
  mcpServers: z.array(words(32)).max(100).optional(),
  promptSettings: z
    .strictObject({
      metadata: z.boolean().optional(),
      systemInfo: z.boolean().optional(),
      date: z.boolean().optional(),
    })
    .transform(given)
    .optional()
    .describe('what is left out is as usual: metadata and date, but not systemInfo'),
}
const workspaceInputSchema = namedInput('WorkspaceInput', fields)
const workspaceChangeSchema = namedInput('WorkspaceChange', {
  ...fields,
  files: z.array(words(PATH_CHARS)).max(MOST_FILES).optional(),
  dynamicContext: z
    .array(z.strictObject({ ...callFields, args: someObject.default({}) }))
    .max(MOST_CALLS)
    .optional(),
})

const contextSchema = z.object({
  items: z
    .array(
      named('WorkspaceContext', {
        kind: z.enum(['file', 'context']),
        name: z.string(),
        chars: z.number().int().optional(),
        fetchedAt: time.optional(),
        error: z.string().optional().describe('why there is no text'),
      }),
    )
    .readonly(),
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
  request: { params: param, ...body(workspaceChangeSchema) },
  responses: { 200: json(workspaceSchema, 'the workspace') },
})

const context = route('chat:read', 'get /api/workspaces/{id}/context', {
  summary: 'How it is with the files and calls that a workspace tells the model of',
  request: { params: param },
  responses: { 200: json(contextSchema, 'each with the length of its text, or why there is none') },
})

const refresh = route('workspace:manage', 'post /api/workspaces/{id}/context/refresh', {
  summary: 'Make the calls of a workspace now; each node keeps their results for itself',
  request: { params: param },
  responses: { 200: json(contextSchema, 'the same after that') },
})

const contextBody = (views: readonly ContextView[]) => ({ items: views.map((view) => wire(view)) })
const workspaceBody = ({ tenant: _, ...workspace }: Workspace) => wire(workspace)

export function workspaceRoutes({ workspaces, contexts }: Services): App {
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
    .openapi(context, async (c) =>
      c.json(contextBody(await contexts.list(c.get('actor'), c.req.valid('param').id)), 200),
    )
    .openapi(refresh, async (c) =>
      c.json(contextBody(await contexts.refresh(c.get('actor'), c.req.valid('param').id)), 200),
    )
}
