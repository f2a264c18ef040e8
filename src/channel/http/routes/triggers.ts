import { z } from '@hono/zod-openapi'
import type { Trigger } from '../../../workflow/index.ts'
import { automationBody, automationFields, changeFields, idField } from '../automation-fields.ts'
import { automationRoutes } from '../automation-routes.ts'
import { depthOf } from '../proof.ts'
import { body, json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { given, named, namedInput, someObject, words } from '../schemas.ts'

const value = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])
const filter = z.record(z.string().min(1).max(200), value)
const inputFields = {
  event: words(200).describe('a type of events'),
  filter: filter.optional().describe('paths of the payload, such as user.plan, and what they must equal; all of them'),
  workflowId: idField,
}

const triggerSchema = named('Trigger', {
  ...automationFields,
  event: z.string(),
  filter,
  workflowId: z.string(),
})
const newTriggerSchema = namedInput('NewTrigger', inputFields)
const changesSchema = namedInput('TriggerChanges', { ...z.object(inputFields).partial().shape, ...changeFields })

const { list, create, get, change, remove } = automationRoutes(
  'trigger',
  { one: triggerSchema, wanted: newTriggerSchema, changes: changesSchema },
  { list: 'What events start, newest first', create: 'Have events start a workflow, as you' },
)

const eventSchema = namedInput('NewEvent', {
  id: words(200).optional().describe('the same id counts once'),
  type: words(200),
  payload: someObject,
})

const report = route('workflow:manage', 'post /api/events', {
  summary: 'Say what happened outside, for triggers and webhooks',
  request: { ...body(eventSchema) },
  responses: { 202: json(z.object({ id: z.string() }), 'it is stored, and told next') },
})

const triggerBody = ({ body: { event, filter, workflowId }, ...trigger }: Trigger) => ({
  ...automationBody(trigger),
  event,
  filter,
  workflowId,
})

export function triggerRoutes({ triggers, events, settings }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await triggers.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(triggerBody), next }, 200)
    })
    .openapi(create, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(triggerBody(await triggers.create(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(get, async (c) => c.json(triggerBody(await triggers.get(c.get('actor'), c.req.valid('param').id)), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(triggerBody(await triggers.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
    .openapi(remove, (c) => noContent(c, triggers.remove(c.get('actor'), c.req.valid('param').id)))
    .openapi(report, async (c) => {
      const depth = depthOf(c, settings.eventDepth)
      return c.json(await events.report(c.get('actor'), { ...given(c.req.valid('json')), depth }), 202)
    })
}
