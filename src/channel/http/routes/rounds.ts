import { z } from '@hono/zod-openapi'
import type { Actor } from '../../../contract/actor.ts'
import { FINISH_REASONS, PROTOCOLS } from '../../../contract/outcome.ts'
import { LAYERS } from '../../../contract/prompt.ts'
import { callBody, listedRoundBody, roundBody, wire } from '../bodies.ts'
import { body, json, newRoutes, noContent, roundParam, route, type App, type Services } from '../route.ts'
import {
  anyObject,
  approvalSchema,
  byTime,
  callSchema,
  flag,
  given,
  instant,
  limit,
  listedRoundSchema,
  named,
  page,
  roundSchema,
  someObject,
  words,
} from '../schemas.ts'

const pageQuery = z.object({
  cursor: words(100).optional(),
  limit,
})

const STATES = ['queued', 'running', 'waiting', 'paused', 'ended'] as const
const states = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(STATES)))
  .openapi({ type: 'string', description: `some of ${STATES.join(',')}` })

const list = route('chat:read', 'get /api/rounds', {
  summary: 'Your rounds, newest first; with all=1 those of everybody (needs user:read)',
  description: 'Filters combine. Messages that wait to become rounds come first, beside the limit.',
  request: {
    query: z.object({
      state: states.optional(),
      session: words(200).optional(),
      finishReason: z.enum(FINISH_REASONS).optional(),
      model: words(200).optional(),
      protocol: z.enum(PROTOCOLS).optional(),
      since: instant.optional().describe('started then or later: a time such as 2026-11-15T00:00:00Z'),
      all: flag,
      ...byTime,
    }),
  },
  responses: { 200: json(page(listedRoundSchema), 'a page of rounds') },
})

const get = route('chat:read', 'get /api/rounds/{requestId}', {
  summary: 'How a round stands, with its turns and calls',
  request: { params: roundParam },
  responses: { 200: json(roundSchema, 'the round') },
})

const trace = route('trace:read', 'get /api/rounds/{requestId}/trace', {
  summary: 'How a round went in detail, personal fields taken out',
  request: { params: roundParam },
  responses: { 200: json(z.object({ items: z.array(anyObject), next: z.null() }), 'the trace') },
})

const part = z.object({
  id: z.string(),
  version: z.number().int().optional(),
  hash: z.string(),
  tokens: z.number().int(),
  text: z.string().optional(),
  erased: z.literal(true).optional(),
  role: z.enum(['user', 'assistant']).optional(),
  eventIds: z.array(z.string()).readonly().optional(),
})

const sentPromptSchema = named('SentPrompt', {
  requestId: z.string(),
  turn: z.number().int(),
  attempt: z.number().int(),
  model: z.string(),
  renderer: z.number().int(),
  isExact: z.boolean().describe('false: something was erased, or another version of Segno made it'),
  layers: z.array(z.object({ name: z.enum(LAYERS), parts: z.array(part).readonly() })).readonly(),
  notes: z.array(z.string()).readonly().describe('what the model was told as system messages in this round'),
  leftOut: z.array(z.object({ what: z.string(), tokens: z.number().int(), why: z.string() })).readonly(),
  tools: z.array(z.object({ name: z.string(), description: z.string(), jsonSchema: anyObject })).readonly(),
  parameters: z.object({
    maxOutput: z.number().int(),
    temperature: z.number().optional(),
    effort: z.string().optional(),
    mayUseTools: z.boolean(),
    toolChoice: z.string().optional().describe('the tool that it had to call, or `required`'),
    output: z.literal(true).optional().describe('the provider was given the schema of the answer'),
  }),
})

const countFromOne = z.coerce.number().int().min(1).max(1_000_000)

const sentPrompt = route('chat:read', 'get /api/rounds/{requestId}/prompt', {
  summary: 'What the model was sent in a turn, layer by layer',
  request: {
    params: roundParam,
    query: z.strictObject({
      turn: countFromOne.optional().describe('default: the first'),
      attempt: countFromOne.optional().describe('of those that were sent something else; default: the last'),
    }),
  },
  responses: { 200: json(sentPromptSchema, 'the prompt') },
})

const act = <Action extends string>(action: Action, summary: string) =>
  route('chat:write', `post /api/rounds/{requestId}/${action}`, {
    summary,
    request: { params: roundParam },
    responses: { 202: json(roundSchema, 'it is stored and will be done') },
  })

const goOn = route('chat:write', 'post /api/rounds/{requestId}/continue', {
  summary: 'Go on from a round that used up its turns or calls, in a new round',
  description: 'Only from the last round of its conversation; asked for twice, it is the same round.',
  request: { params: roundParam },
  responses: { 202: json(roundSchema, 'the new round') },
})

const approvals = route('chat:read', 'get /api/approvals', {
  summary: 'What waits for a decision',
  request: { query: pageQuery.extend({ status: approvalSchema.shape.status.optional() }) },
  responses: { 200: json(page(approvalSchema), 'approvals') },
})

const decisionSchema = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  remember: z.enum(['session']).optional(),
  reason: z.string().max(1000).optional(),
  content: someObject.optional().describe('the answer to a question of a running call'),
})

const decide = route('chat:write', 'post /api/approvals/{id}', {
  summary: 'Approve or deny',
  request: { params: z.object({ id: words(200) }), ...body(decisionSchema) },
  responses: { 202: { description: 'it is stored and will be done' } },
})

const unknown = route('chat:read', 'get /api/calls', {
  summary: 'Calls whose effect nobody knows',
  request: { query: pageQuery.extend({ outcome: z.enum(['unknown']) }) },
  responses: { 200: json(page(callSchema), 'calls') },
})

const reconciliationSchema = z.strictObject({
  happened: z.boolean(),
  note: z.string().max(1000).optional(),
  sessionId: words(200).optional().describe('a fork that inherited the call; default: where it was made'),
})

const reconcile = route('chat:write', 'post /api/calls/{callId}/reconcile', {
  summary: 'Say whether a call did happen',
  request: { params: z.object({ callId: words(200) }), ...body(reconciliationSchema) },
  responses: { 204: { description: 'it is settled' } },
})

export function roundRoutes({ rounds, readings }: Services): App {
  async function one(actor: Actor, requestId: string) {
    return roundBody(await rounds.get(actor, requestId), await rounds.events(actor, requestId))
  }
  return newRoutes()
    .openapi(list, async (c) => {
      const { state: states, session: sessionId, ...query } = c.req.valid('query')
      const { items, next } = await rounds.list(c.get('actor'), given({ ...query, states, sessionId }))
      return c.json({ items: items.map(listedRoundBody), next }, 200)
    })
    .openapi(get, async (c) => c.json(await one(c.get('actor'), c.req.valid('param').requestId), 200))
    .openapi(trace, async (c) => {
      const entries = await readings.trace(c.get('actor'), c.req.valid('param').requestId)
      return c.json({ items: entries.map(wire), next: null }, 200)
    })
    .openapi(sentPrompt, async (c) => {
      const { turn = 1, attempt } = c.req.valid('query')
      return c.json(await readings.sentPrompt(c.get('actor'), c.req.valid('param').requestId, turn, attempt), 200)
    })
    .openapi(act('cancel', 'End a round now'), async (c) => {
      const { requestId } = c.req.valid('param')
      const { sessionId } = await rounds.get(c.get('actor'), requestId)
      await rounds.cancel(c.get('actor'), sessionId, requestId)
      return c.json(await one(c.get('actor'), requestId), 202)
    })
    .openapi(act('pause', 'Let a round rest after its next result'), async (c) => {
      const { requestId } = c.req.valid('param')
      await rounds.pause(c.get('actor'), requestId)
      return c.json(await one(c.get('actor'), requestId), 202)
    })
    .openapi(act('resume', 'Let a paused round go on'), async (c) => {
      const { requestId } = c.req.valid('param')
      await rounds.resume(c.get('actor'), requestId)
      return c.json(await one(c.get('actor'), requestId), 202)
    })
    .openapi(goOn, async (c) => {
      const { requestId } = await rounds.continue(c.get('actor'), c.req.valid('param').requestId, { channel: 'http' })
      return c.json(await one(c.get('actor'), requestId), 202)
    })
    .openapi(approvals, async (c) => {
      const { items, next } = await rounds.approvalPage(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(wire), next }, 200)
    })
    .openapi(decide, async (c) => {
      await rounds.decide(c.get('actor'), c.req.valid('param').id, given(c.req.valid('json')))
      return c.body(null, 202)
    })
    .openapi(unknown, async (c) => {
      const { outcome: _, ...query } = c.req.valid('query')
      const { items, next } = await rounds.unknownCallPage(c.get('actor'), given(query))
      return c.json({ items: items.map(callBody), next }, 200)
    })
    .openapi(reconcile, (c) => {
      const { happened, note, sessionId } = c.req.valid('json')
      const { callId } = c.req.valid('param')
      return noContent(c, rounds.reconcile(c.get('actor'), callId, happened, note, sessionId))
    })
}
