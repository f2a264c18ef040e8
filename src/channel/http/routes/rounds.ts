import { createRoute, z } from '@hono/zod-openapi'
import { LOCAL_OWNER } from '../../../contract/actor.ts'
import { body, FAILURES, json, newRoutes, type App, type Services } from '../route.ts'
import { approvalBody, approvalSchema, callBody, callSchema, roundBody, roundSchema } from '../schemas.ts'

const roundParam = z.object({ requestId: z.string() })

const get = createRoute({
  method: 'get',
  path: '/api/rounds/{requestId}',
  summary: 'How a round stands',
  request: { params: roundParam },
  responses: { 200: json(roundSchema, 'the round'), ...FAILURES },
})

const act = <Action extends string>(action: Action, summary: string) =>
  createRoute({
    method: 'post',
    path: `/api/rounds/{requestId}/${action}`,
    summary,
    request: { params: roundParam },
    responses: { 202: json(roundSchema, 'it is stored and will be done'), ...FAILURES },
  })

const approvals = createRoute({
  method: 'get',
  path: '/api/approvals',
  summary: 'What waits for a decision',
  request: { query: z.object({ status: approvalSchema.shape.status.optional() }) },
  responses: { 200: json(z.object({ items: z.array(approvalSchema), next: z.null() }), 'approvals'), ...FAILURES },
})

const decide = createRoute({
  method: 'post',
  path: '/api/approvals/{id}',
  summary: 'Approve or deny',
  request: {
    params: z.object({ id: z.string() }),
    ...body(
      z.strictObject({
        decision: z.enum(['approve', 'deny']),
        remember: z.enum(['session']).optional(),
        reason: z.string().max(1000).optional(),
      }),
    ),
  },
  responses: { 202: { description: 'it is stored and will be done' }, ...FAILURES },
})

const unknown = createRoute({
  method: 'get',
  path: '/api/calls',
  summary: 'Calls whose effect nobody knows',
  request: { query: z.object({ outcome: z.enum(['unknown']) }) },
  responses: { 200: json(z.object({ items: z.array(callSchema), next: z.null() }), 'calls'), ...FAILURES },
})

const reconcile = createRoute({
  method: 'post',
  path: '/api/calls/{callId}/reconcile',
  summary: 'Say whether a call did happen',
  request: {
    params: z.object({ callId: z.string() }),
    ...body(z.strictObject({ happened: z.boolean(), note: z.string().max(1000).optional() })),
  },
  responses: { 204: { description: 'it is settled' }, ...FAILURES },
})

export function roundRoutes({ rounds }: Services): App {
  const one = async (requestId: string) => roundBody(await rounds.get(LOCAL_OWNER, requestId))
  return newRoutes()
    .openapi(get, async (c) => c.json(await one(c.req.valid('param').requestId), 200))
    .openapi(act('cancel', 'End a round now'), async (c) => {
      const { requestId } = c.req.valid('param')
      const { sessionId } = await rounds.get(LOCAL_OWNER, requestId)
      await rounds.cancel(LOCAL_OWNER, sessionId, requestId)
      return c.json(await one(requestId), 202)
    })
    .openapi(act('pause', 'Let a round rest after its next result'), async (c) => {
      const { requestId } = c.req.valid('param')
      await rounds.pause(LOCAL_OWNER, requestId)
      return c.json(await one(requestId), 202)
    })
    .openapi(act('resume', 'Let a paused round go on'), async (c) => {
      const { requestId } = c.req.valid('param')
      await rounds.resume(LOCAL_OWNER, requestId)
      return c.json(await one(requestId), 202)
    })
    .openapi(approvals, async (c) => {
      const items = await rounds.approvals(LOCAL_OWNER, c.req.valid('query').status)
      return c.json({ items: items.map(approvalBody), next: null }, 200)
    })
    .openapi(decide, async (c) => {
      const { decision, remember, reason } = c.req.valid('json')
      await rounds.decide(LOCAL_OWNER, c.req.valid('param').id, {
        decision,
        ...(remember !== undefined && { remember }),
        ...(reason !== undefined && { reason }),
      })
      return c.body(null, 202)
    })
    .openapi(unknown, async (c) => {
      const items = await rounds.unknownCalls(LOCAL_OWNER)
      return c.json({ items: items.map(callBody), next: null }, 200)
    })
    .openapi(reconcile, async (c) => {
      const { happened, note } = c.req.valid('json')
      await rounds.reconcile(LOCAL_OWNER, c.req.valid('param').callId, happened, note)
      return c.body(null, 204)
    })
}
