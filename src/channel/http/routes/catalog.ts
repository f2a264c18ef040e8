import { z } from '@hono/zod-openapi'
import type { ListedModel } from '../../../contract/views.ts'
import { capabilitiesOf } from '../../../model/index.ts'
import { iso, wire } from '../bodies.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'
import { anyObject, cursor, flag, given, instant, page, words } from '../schemas.ts'

const missingTools = z.array(z.object({ name: z.string(), how: z.string() })).readonly()

const tools = route('chat:read', 'get /api/tools', {
  summary: 'The tools you may use, and what is missing for those that nobody can',
  responses: { 200: json(page(anyObject).extend({ missing: missingTools }), 'tools') },
})

const moment = instant.describe('a time such as 2026-11-15T00:00:00Z')
const price = z.number().describe('micro-dollars for a million tokens')
const rates = { input: price, output: price, cachedRead: price.optional(), cachedWrite: price.optional() }
const steps = z.array(z.object({ above: z.number().describe('tokens of input'), ...rates })).readonly()
const capabilities = z.object({
  tools: z.boolean().describe('without them it is offered none'),
  parallelCalls: z.boolean(),
  reasoning: z.boolean().describe('whether it can think before it answers'),
  takesTemperature: z.boolean(),
  structuredOutput: z.boolean().describe('whether it can be held to a schema'),
})
const modelSchema = z.object({
  key: z.string(),
  provider: z.string(),
  model: z.string().describe('what the provider calls it'),
  usable: z.boolean(),
  missing: z.string().optional().describe('why it cannot be used'),
  standard: z.boolean().describe('used where nobody asks for another'),
  window: z.number().describe('tokens it can see, answer included'),
  maxOutput: z.number(),
  capabilities,
  files: z.string().optional().describe('what it can be shown, where that is known: none, pictures, documents'),
  temperature: z.number().optional(),
  effort: z.string().optional(),
  prices: z
    .object({ ...rates, steps: steps.optional().describe('for the whole of a call with longer input') })
    .optional(),
  pricesAsOf: z.string().optional().describe('the day of the prices, if they are what the provider published'),
  pricesAssumed: z.boolean().optional().describe('nobody knows them: the operator said what to assume'),
  cacheTtl: z.string().optional().describe('how long its provider is asked to keep what it caches'),
  fallback: z.string().optional().describe('the model that answers when this one does not'),
  leftAloneUntil: z.string().optional().describe('its provider failed too often and is not asked before'),
  learnedWindow: z.number().optional().describe('smaller than window: its provider said so less than a day ago'),
})

const models = route('chat:read', 'get /api/models', {
  summary: 'The models Segno knows, which of them can be used, and what is missing for the others',
  responses: { 200: json(page(modelSchema), 'models') },
})

const usageSchema = z.object({
  userId: z.string(),
  model: z.string(),
  rounds: z.number(),
  usage: anyObject,
  cost: z.number().describe('micro-dollars; too low where usage says unpriced'),
})

const usage = route('chat:read', 'get /api/usage', {
  summary: 'Tokens and cost of your rounds that have ended, by model; with all=1 of everybody (needs user:read)',
  request: {
    query: z.object({
      since: moment.optional(),
      until: moment.optional(),
      session: words(200).optional(),
      all: flag,
    }),
  },
  responses: { 200: json(page(usageSchema), 'by user and model') },
})

const audit = route('audit:read', 'get /api/audit', {
  summary: 'Who did what, when and how it went, newest first; never what was said',
  request: {
    query: z.object({
      cursor: cursor(/^\d{1,15}\.\d{1,9}$/),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      session: words(200).optional(),
      action: words(200).optional(),
    }),
  },
  responses: { 200: json(page(anyObject), 'a page of records') },
})

const auditVerifySchema = z.object({
  ok: z.boolean(),
  rows: z.number().int(),
  records: z.number().int(),
  head: z
    .object({ seq: z.number().int(), hash: z.string() })
    .describe('its end; keep it elsewhere, it shows later whether the end was cut off'),
  findings: z.array(z.string()).readonly(),
})

const auditVerify = route('audit:read', 'get /api/audit/verify', {
  summary: 'Does every seal of the audit log hold?',
  responses: { 200: json(auditVerifySchema, 'what was found; nothing was changed where `ok` is true') },
})

const auditExport = route('operator', 'get /api/audit/export', {
  summary: 'The whole audit log of all tenants with its seals, as JSON lines',
  responses: {
    200: { description: 'a row a line, then the head', content: { 'application/x-ndjson': { schema: z.string() } } },
  },
})

function modelBody(listed: Awaited<ReturnType<Services['models']>>[number]) {
  const { key, provider, modelId, standard, missing, window, maxOutput, leftAloneUntil } = listed
  const { temperature, effort, files, prices, pricesAsOf, pricesAssumed, fallback, cacheTtl, learnedWindow } = listed
  return {
    key,
    provider,
    model: modelId,
    standard,
    window,
    maxOutput,
    capabilities: capabilitiesOf(listed),
    ...given({
      missing,
      temperature,
      effort,
      files,
      prices,
      pricesAsOf,
      pricesAssumed,
      fallback,
      cacheTtl,
      learnedWindow,
    }),
    usable: missing === undefined,
    ...(leftAloneUntil !== undefined && { leftAloneUntil: iso(leftAloneUntil) }),
  } satisfies ListedModel
}

/** Tools, models, usage and the audit log. */
export function catalogRoutes(services: Services): App {
  return newRoutes()
    .openapi(tools, async (c) => {
      const items = (await services.tools(c.get('actor'))) as never[]
      return c.json({ items, next: null, missing: services.missingTools }, 200)
    })
    .openapi(models, async (c) => c.json({ items: (await services.models()).map(modelBody), next: null }, 200))
    .openapi(usage, async (c) => {
      const { session, ...query } = c.req.valid('query')
      const found = await services.readings.usage(c.get('actor'), given({ ...query, sessionId: session }))
      return c.json({ items: found as never[], next: null }, 200)
    })
    .openapi(audit, async (c) => {
      const { session, ...query } = c.req.valid('query')
      const found = await services.audit.page(c.get('actor'), given({ ...query, sessionId: session }))
      return c.json({ items: found.items.map(wire), next: found.next }, 200)
    })
    .openapi(auditVerify, async (c) => {
      return c.json(await services.audit.verify(c.get('actor')), 200)
    })
    .openapi(auditExport, (c) => {
      const lines = services.audit.export(c.get('actor'))
      const bytes = ReadableStream.from(lines).pipeThrough(new TextEncoderStream())
      return c.body(bytes as ReadableStream, 200, { 'content-type': 'application/x-ndjson' }) as never
    })
}
