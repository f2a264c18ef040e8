import { z } from '@hono/zod-openapi'
import { MEMORY_CATEGORIES, MEMORY_METHODS, MEMORY_STATUSES, type Memory } from '../../../contract/memory.ts'
import { wire } from '../bodies.ts'
import { body, json, newRoutes, noContent, onceHeader, route, type App, type Services } from '../route.ts'
import { byNumber, given, named, namedInput, page, revision, time, words } from '../schemas.ts'

const memorySchema = named('Memory', {
  id: z.string(),
  content: z.string(),
  category: z.enum(MEMORY_CATEGORIES),
  importance: z.number().int().describe('1 to 10'),
  source: z.enum(['ai_extraction', 'user']),
  method: z.enum(MEMORY_METHODS).describe('a call of the tool remember, a tag in an answer, or you wrote it'),
  status: z
    .enum(MEMORY_STATUSES)
    .describe(
      'proposed: from a conversation with text of others, and unused until you keep it; replaced: a newer one counts',
    ),
  sessionId: z.string().optional().describe('the conversation it came from'),
  eventId: z.string().optional().describe('your message that led to it'),
  supersedes: z.string().optional().describe('id of the memory it replaced'),
  createdAt: time,
  updatedAt: time.describe('when it was last said again, kept or changed'),
  revision: z.number().int().describe('counts its changes'),
})

// How long it may really be is said by the service, with the number of characters it has.
const content = words(10_000)
const about = {
  category: z.enum(MEMORY_CATEGORIES).optional().describe('default: other'),
  importance: z.number().int().min(1).max(10).optional().describe('default: 5'),
}
const newMemorySchema = namedInput('NewMemory', { content: content.describe('at most 200 characters'), ...about })
const memoryChangesSchema = namedInput('MemoryChanges', {
  content: content.optional().describe('other words make a new memory that replaces this one'),
  ...about,
  status: z.literal('active').optional().describe('keeps a proposed memory'),
  revision,
})

const param = z.object({ id: words(200).describe('id of the memory') })

const list = route('memory:read', 'get /api/memories', {
  summary: 'What is remembered of you, newest first',
  request: {
    query: z.object({
      status: z.enum(MEMORY_STATUSES).optional(),
      ...byNumber,
    }),
  },
  responses: { 200: json(page(memorySchema), 'a page of memories') },
})

const add = route('memory:write', 'post /api/memories', {
  summary: 'Have something remembered; one that says the same is changed, one it contradicts is replaced',
  request: { headers: onceHeader, ...body(newMemorySchema) },
  responses: { 201: json(memorySchema, 'the memory') },
})

const forget = route('memory:write', 'delete /api/memories', {
  summary: 'Forget all that is remembered of you',
  responses: { 200: json(named('Forgotten', { forgotten: z.number().int() }), 'how many memories there were') },
})

const whole = route('memory:read', 'get /api/memories/export', {
  summary: 'All that is remembered of you, as a file',
  responses: { 200: json(named('MemoryExport', { items: z.array(memorySchema) }), 'all your memories') },
})

const get = route('memory:read', 'get /api/memories/{id}', {
  summary: 'One memory',
  request: { params: param },
  responses: { 200: json(memorySchema, 'the memory') },
})

const change = route('memory:write', 'patch /api/memories/{id}', {
  summary: 'Change a memory, or keep a proposed one',
  request: { params: param, ...body(memoryChangesSchema) },
  responses: { 200: json(memorySchema, 'the memory; with other words, the one that replaces it') },
})

const remove = route('memory:write', 'delete /api/memories/{id}', {
  summary: 'Delete a memory and what it replaced',
  request: { params: param },
  responses: { 204: { description: 'it is deleted' } },
})

const memoryBody = ({ tenant: _, userId: __, ...memory }: Memory) => wire(memory)

export function memoryRoutes({ memories }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await memories.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(memoryBody), next }, 200)
    })
    .openapi(add, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(memoryBody(await memories.add(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(forget, async (c) => c.json({ forgotten: await memories.forget(c.get('actor')) }, 200))
    .openapi(whole, async (c) => {
      const items = await Array.fromAsync(memories.all(c.get('actor')))
      const headers = { 'content-disposition': 'attachment; filename="memories.json"' }
      return c.json({ items: items.map(memoryBody) }, 200, headers)
    })
    .openapi(get, async (c) => c.json(memoryBody(await memories.get(c.get('actor'), c.req.valid('param').id)), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(memoryBody(await memories.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
    .openapi(remove, (c) => noContent(c, memories.remove(c.get('actor'), c.req.valid('param').id)))
}
