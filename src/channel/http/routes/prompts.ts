import { z } from '@hono/zod-openapi'
import { PROMPT_STATUSES, type GovernedPrompt } from '../../../contract/governed-prompt.ts'
import { wire } from '../bodies.ts'
import { body, json, newRoutes, onceHeader, optionalBody, route, type App, type Services } from '../route.ts'
import { byNumber, given, named, namedInput, page, revision, time, words } from '../schemas.ts'

const promptSchema = named('GovernedPrompt', {
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  version: z.number().int().describe('counts the versions of this name in the workspace'),
  content: z.string(),
  status: z.enum(PROMPT_STATUSES),
  author: z.string(),
  editors: z.array(z.string()).readonly().describe('everybody else who changed its words'),
  reviewer: z.string().optional().describe('who approved it'),
  selfApproved: z.literal(true).optional().describe('by its author, because the tenant has nobody else'),
  reason: z.string().optional().describe('of the last step'),
  tokens: z.number().int(),
  createdAt: time,
  updatedAt: time,
  revision: z.number().int().describe('counts its changes'),
  activatedAt: time.optional(),
})

const diffSchema = named('PromptDiff', {
  from: z.string().describe('id of the prompt it is compared with'),
  to: z.string(),
  diff: z.string().describe('the hunks of a unified diff; empty: both say the same'),
  added: z.number().int().describe('lines'),
  removed: z.number().int().describe('lines'),
})

// How long it may really be is the limit PROMPT_CHARS.
const content = words(1_000_000)
const newPromptSchema = namedInput('NewPrompt', {
  workspaceId: words(200).optional().describe('default: system, whose prompt counts where a workspace has none'),
  name: words(200),
  content,
})
const promptChangesSchema = namedInput('PromptChanges', { name: words(200).optional(), content: content.optional() })
const stepSchema = namedInput('PromptStep', {
  reason: words(1000).optional(),
  revision,
})

const param = z.object({ id: words(200).describe('id of the prompt') })

const list = route('prompt:read', 'get /api/prompts', {
  summary: 'The prompts of your tenant, newest first',
  request: {
    query: z.object({
      workspaceId: words(200).optional(),
      status: z.enum(PROMPT_STATUSES).optional(),
      ...byNumber,
    }),
  },
  responses: { 200: json(page(promptSchema), 'a page of prompts') },
})

const create = route('prompt:write', 'post /api/prompts', {
  summary: 'Write a draft: the next version of its name in its workspace',
  request: { headers: onceHeader, ...body(newPromptSchema) },
  responses: { 201: json(promptSchema, 'the draft') },
})

const get = route('prompt:read', 'get /api/prompts/{id}', {
  summary: 'One prompt',
  request: { params: param },
  responses: { 200: json(promptSchema, 'the prompt') },
})

const change = route('prompt:write', 'patch /api/prompts/{id}', {
  summary: 'Change a draft; who changes its words may not approve it',
  request: { params: param, ...body(promptChangesSchema) },
  responses: { 200: json(promptSchema, 'the draft') },
})

const diff = route('prompt:read', 'get /api/prompts/{id}/diff', {
  summary: 'How a prompt differs from another one, line by line',
  request: { params: param, query: z.object({ against: words(200).describe('id of the other prompt') }) },
  responses: { 200: json(diffSchema, 'the difference') },
})

/** Who may take a step, and what it does. */
const STEPS = [
  ['prompt:write', 'submit', 'Submit a draft for review'],
  ['prompt:review', 'approve', 'Approve what others wrote'],
  ['prompt:review', 'reject', 'Send it back to its author, with a reason'],
  ['prompt:publish', 'activate', 'Use it in its workspace from now on, instead of the one before'],
  ['prompt:publish', 'deprecate', 'Do not use it any more'],
] as const

const step = ([needs, name, summary]: (typeof STEPS)[number]) =>
  route(needs, `post /api/prompts/{id}/${name}`, {
    summary,
    request: { params: param, ...optionalBody(stepSchema) },
    responses: { 200: json(promptSchema, 'the prompt after this step') },
  })

const promptBody = ({ tenant: _, ...prompt }: GovernedPrompt) => wire(prompt)

export function promptRoutes({ prompts }: Services): App {
  const routes = newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await prompts.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(promptBody), next }, 200)
    })
    .openapi(create, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(promptBody(await prompts.create(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(get, async (c) => c.json(promptBody(await prompts.get(c.get('actor'), c.req.valid('param').id)), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(promptBody(await prompts.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
    .openapi(diff, async (c) => {
      const { against } = c.req.valid('query')
      return c.json(await prompts.diff(c.get('actor'), c.req.valid('param').id, against), 200)
    })
  for (const one of STEPS)
    routes.openapi(step(one), async (c) => {
      const { id } = c.req.valid('param')
      return c.json(promptBody(await prompts[one[1]](c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
  return routes
}
