import { z } from '@hono/zod-openapi'
import type { MadeSecret, Webhook } from '../../../workflow/index.ts'
import { automationBody, automationFields, automationParam, changeFields, secretField } from '../automation-fields.ts'
import { automationRoutes } from '../automation-routes.ts'
import { deliveryBody, deliverySchema } from '../invocation-fields.ts'
import { json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { byTime, given, named, namedInput, page, words } from '../schemas.ts'

const inputFields = {
  url: words(2000).describe('http or https, and public unless SEGNO_WORKFLOW_ORIGINS names its origin'),
  events: z.array(words(200)).max(100).describe('types of events it is told of'),
  content: z.boolean().optional().describe('also tell words and arguments; for those who may read all conversations'),
}

const webhookSchema = named('Webhook', {
  ...automationFields,
  ...secretField,
  url: z.string(),
  events: z.array(z.string()).readonly(),
  content: z.boolean(),
})
const newWebhookSchema = namedInput('NewWebhook', inputFields)
const changesSchema = namedInput('WebhookChanges', { ...z.object(inputFields).partial().shape, ...changeFields })

const { list, create, get, change, remove, renew } = automationRoutes(
  'webhook',
  { one: webhookSchema, wanted: newWebhookSchema, changes: changesSchema },
  {
    list: 'The addresses that are told of events, newest first',
    create: 'Have an address told of events; what we sign with is in this answer only',
  },
)

const deliveries = route('workflow:manage', 'get /api/webhooks/{id}/deliveries', {
  summary: 'What it was told, newest first',
  request: {
    params: automationParam,
    query: z.object({
      ...byTime,
    }),
  },
  responses: { 200: json(page(deliverySchema), 'a page of deliveries') },
})

const sendAgain = route('workflow:manage', 'post /api/deliveries/{id}/retry', {
  summary: 'Send a delivery once more, also one that arrived',
  request: { params: automationParam },
  responses: { 202: json(deliverySchema, 'it is sent next') },
})

const webhookBody = ({ body: { url, events, content }, secret, ...webhook }: Webhook & MadeSecret) => ({
  ...automationBody(webhook),
  ...given({ secret, url, events, content }),
})

export function webhookRoutes({ webhooks, invocations }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await webhooks.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(webhookBody), next }, 200)
    })
    .openapi(create, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(webhookBody(await webhooks.create(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(get, async (c) => c.json(webhookBody(await webhooks.get(c.get('actor'), c.req.valid('param').id)), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(webhookBody(await webhooks.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
    .openapi(remove, (c) => noContent(c, webhooks.remove(c.get('actor'), c.req.valid('param').id)))
    .openapi(renew, async (c) => {
      return c.json(webhookBody(await webhooks.renewSecret(c.get('actor'), c.req.valid('param').id)), 200)
    })
    .openapi(deliveries, async (c) => {
      const { id } = c.req.valid('param')
      const { items, next } = await invocations.deliveries(c.get('actor'), id, given(c.req.valid('query')))
      return c.json({ items: items.map(deliveryBody), next }, 200)
    })
    .openapi(sendAgain, async (c) => {
      return c.json(deliveryBody(await invocations.sendAgain(c.get('actor'), c.req.valid('param').id)), 202)
    })
}
