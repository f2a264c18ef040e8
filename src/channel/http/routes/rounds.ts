import { z } from '@hono/zod-openapi'
import type { Actor } from '../../../contract/actor.ts'
import { approvalBody, callBody, iso, roundBody } from '../bodies.ts'
import { given } from '../given.ts'
import { body, json, newRoutes, roundParam, route, type App, type Services } from '../route.ts'
import { anyObject, approvalSchema, callSchema, page, roundSchema, someObject, words } from '../schemas.ts'

/** Which part of a list. */
const pageQuery = z.object({
  cursor: z.string().min(1).max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
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

const act = <Action extends string>(action: Action, summary: string) =>
  route('chat:write', `post /api/rounds/{requestId}/${action}`, {
    summary,
    request: { params: roundParam },
    responses: { 202: json(roundSchema, 'it is stored and will be done') },
  })

const approvals = route('chat:read', 'get /api/approvals', {
  summary: 'What waits for a decision',
  request: { query: pageQuery.extend({ status: approvalSchema.shape.status.optional() }) },
  responses: { 200: json(page(approvalSchema), 'approvals') },
})

const decide = route('chat:write', 'post /api/approvals/{id}', {
  summary: 'Approve or deny',
  request: {
    params: z.object({ id: z.string().min(1).max(200) }),
    ...body(
      z.strictObject({
        decision: z.enum(['approve', 'deny']),
        remember: z.enum(['session']).optional(),
        reason: z.string().max(1000).optional(),
        content: someObject.optional().openapi({ description: 'the answer to a question of a running call' }),
      }),
    ),
  },
  responses: { 202: { description: 'it is stored and will be done' } },
})

const unknown = route('chat:read', 'get /api/calls', {
  summary: 'Calls whose effect nobody knows',
  request: { query: pageQuery.extend({ outcome: z.enum(['unknown']) }) },
  responses: { 200: json(page(callSchema), 'calls') },
})

const reconcile = route('chat:write', 'post /api/calls/{callId}/reconcile', {
  summary: 'Say whether a call did happen',
  request: {
    params: z.object({ callId: z.string().min(1).max(200) }),
    ...body(
      z.strictObject({
        happened: z.boolean(),
        note: z.string().max(1000).optional(),
        sessionId: words(200).optional().openapi({
          description: 'a fork that inherited the call; default: where it was made',
        }),
      }),
    ),
  },
  responses: { 204: { description: 'it is settled' } },
})

export function roundRoutes({ rounds, readings }: Services): App {
  async function one(actor: Actor, requestId: string) {
    return roundBody(await rounds.get(actor, requestId), await rounds.events(actor, requestId))
  }
  return newRoutes()
    .openapi(get, async (c) => c.json(await one(c.get('actor'), c.req.valid('param').requestId), 200))
    .openapi(trace, async (c) => {
      const entries = await readings.trace(c.get('actor'), c.req.valid('param').requestId)
      return c.json({ items: entries.map(({ at, ...entry }) => ({ at: iso(at), ...entry })), next: null }, 200)
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
    .openapi(approvals, async (c) => {
      const { items, next } = await rounds.approvalPage(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(approvalBody), next }, 200)
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
    .openapi(reconcile, async (c) => {
      const { happened, note, sessionId } = c.req.valid('json')
      await rounds.reconcile(c.get('actor'), c.req.valid('param').callId, happened, note, sessionId)
      return c.body(null, 204)
    })
}
