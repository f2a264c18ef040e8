import { z } from '@hono/zod-openapi'
import type { Actor } from '../../../contract/actor.ts'
import { INVOCATION_STATUSES, type Invocation } from '../../../contract/invocation.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Report } from '../../../workflow/index.ts'
import { automationParam, idField } from '../automation-fields.ts'
import { anyJson, invocationBody, invocationSchema } from '../invocation-fields.ts'
import { orTurnedAway, reporterOf } from '../proof.ts'
import { body, FAILURES, json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { byTime, given, namedInput, page } from '../schemas.ts'

const list = route('known', 'get /api/invocations', {
  summary: 'Your runs of workflows, newest first; with workflow:manage all of your tenant',
  request: {
    query: z.object({
      workflowId: idField.optional(),
      status: z.enum(INVOCATION_STATUSES).optional(),
      ...byTime,
    }),
  },
  responses: { 200: json(page(invocationSchema), 'a page of runs') },
})

const erase = route('known', 'delete /api/invocations', {
  summary: 'Erase what your runs were given and returned, and what webhooks were told of you',
  request: {
    query: z.object({ userId: idField.optional().describe('another user of the tenant; needs workflow:manage') }),
  },
  responses: { 204: { description: 'it is erased' } },
})

const get = route('known', 'get /api/invocations/{id}', {
  summary: 'One run of a workflow',
  request: { params: automationParam },
  responses: { 200: json(invocationSchema, 'the run') },
})

const cancel = route('known', 'post /api/invocations/{id}/cancel', {
  summary: 'Stop it where its engine can; else nobody knows what became of it',
  request: { params: automationParam },
  responses: { 200: json(invocationSchema, 'the run') },
})

const reportSchema = namedInput('Report', {
  status: z.enum(['running', 'success', 'failure']),
  output: anyJson.optional(),
  error: z.string().max(10_000).optional(),
})

const reportedSchema = invocationSchema.partial().required({ id: true, status: true }).openapi('Reported')

const report = route('anyone', 'post /api/invocations/{id}/result', {
  summary: 'Say what came of a run',
  description:
    'With any `webhook-…` header only a valid signature of the workflow counts (Standard Webhooks); with another bearer than a key, the token that the run was handed over with; else it needs workflow:manage.',
  request: { params: automationParam, ...body(reportSchema) },
  responses: {
    200: json(reportedSchema, 'it is stored; all of the run, if a person said it'),
    ...FAILURES,
  },
})

export function invocationRoutes(services: Services): App {
  const { invocations, workflows } = services

  /** Of those that the actor sees no more, the id. */
  async function namesOf(actor: Actor, runs: readonly Invocation[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(runs.map(({ automationId }) => automationId))]
    return new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(actor, id)] as const)))
  }

  async function nameOf(actor: Actor, id: string): Promise<string> {
    try {
      return (await workflows.get(actor, id)).name ?? id
    } catch (error) {
      if (error instanceof Problem && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED')) return id
      throw error
    }
  }

  const bodyOf = async (actor: Actor, run: Invocation) => invocationBody(run, await nameOf(actor, run.automationId))

  return newRoutes()
    .openapi(list, async (c) => {
      const actor = c.get('actor')
      const { workflowId: automationId, ...query } = c.req.valid('query')
      const { items, next } = await invocations.list(actor, given({ automationId, ...query }))
      const names = await namesOf(actor, items)
      return c.json({ items: items.map((one) => invocationBody(one, names.get(one.automationId) ?? '')), next }, 200)
    })
    .openapi(erase, (c) => noContent(c, invocations.erase(c.get('actor'), c.req.valid('query').userId)))
    .openapi(get, async (c) => {
      const actor = c.get('actor')
      return c.json(await bodyOf(actor, await invocations.get(actor, c.req.valid('param').id)), 200)
    })
    .openapi(cancel, async (c) => {
      const actor = c.get('actor')
      return c.json(await bodyOf(actor, await invocations.cancel(actor, c.req.valid('param').id)), 200)
    })
    .openapi(report, async (c) => {
      const said: Report = given(c.req.valid('json'))
      const by = await reporterOf(c)
      const work = invocations.report(by, c.req.valid('param').id, said)
      if ('actor' in by) return c.json(await bodyOf(by.actor, await work), 200)
      const { id, status, code, error } = await orTurnedAway(services, c, work)
      return c.json({ id, status, ...(code === 'BAD_OUTPUT' && given({ code, error })) }, 200)
    })
}
