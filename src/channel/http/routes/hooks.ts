import { z } from '@hono/zod-openapi'
import type { Hook, MadeSecret } from '../../../workflow/index.ts'
import { actionSchema, automationBody, automationFields, changeFields, secretField } from '../automation-fields.ts'
import { automationRoutes } from '../automation-routes.ts'
import { depthOf, orTurnedAway, signedOf } from '../proof.ts'
import { body, FAILURES, json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { anyObject, given, named, namedInput, words } from '../schemas.ts'

const name = words(64).describe('letters, digits, _ and -; the last part of its address')

const hookSchema = named('Hook', { ...automationFields, ...secretField, name: z.string(), action: anyObject })
const newHookSchema = namedInput('NewHook', { name, action: actionSchema })
const changesSchema = namedInput('HookChanges', {
  name: name.optional(),
  action: actionSchema.optional(),
  ...changeFields,
})

const { list, create, get, change, remove, renew } = automationRoutes(
  'hook',
  { one: hookSchema, wanted: newHookSchema, changes: changesSchema },
  {
    list: 'The addresses that others call to start something, newest first',
    create: 'Have something started from outside, as you; what callers sign with is in this answer only',
  },
)

const receivedSchema = named('Received', {
  invocationId: z.string().optional(),
  requestId: z.string().optional(),
  sessionId: z.string().optional(),
  eventId: z.string().optional(),
})

const receive = route('anyone', 'post /api/hooks/{name}', {
  summary: 'Call a hook, signed as Standard Webhooks says; the same webhook-id again starts nothing',
  request: { params: z.object({ name: words(200) }), ...body(anyObject.describe('any JSON object')) },
  responses: { 202: json(receivedSchema, 'what it started'), ...FAILURES },
})

const hookBody = ({ name = '', body: { action }, secret, ...hook }: Hook & MadeSecret) => ({
  ...automationBody(hook),
  ...given({ secret, name, action }),
})

export function hookRoutes(services: Services): App {
  const { hooks, settings } = services
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await hooks.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(hookBody), next }, 200)
    })
    .openapi(create, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(hookBody(await hooks.create(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(get, async (c) => c.json(hookBody(await hooks.get(c.get('actor'), c.req.valid('param').id)), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(hookBody(await hooks.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
    .openapi(remove, (c) => noContent(c, hooks.remove(c.get('actor'), c.req.valid('param').id)))
    .openapi(renew, async (c) => {
      return c.json(hookBody(await hooks.renewSecret(c.get('actor'), c.req.valid('param').id)), 200)
    })
    .openapi(receive, async (c) => {
      const work = hooks.receive(c.req.valid('param').name, await signedOf(c), depthOf(c, settings.eventDepth))
      return c.json({ ...(await orTurnedAway(services, c, work)) }, 202)
    })
}
