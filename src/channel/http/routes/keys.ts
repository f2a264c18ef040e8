import { z } from '@hono/zod-openapi'
import { ROLES } from '../../../contract/actor.ts'
import { wire } from '../bodies.ts'
import { body, json, newRoutes, noContent, onceHeader, route, type App, type Services } from '../route.ts'
import { given, named, namedInput, page, time, words } from '../schemas.ts'

const keySchema = named('Key', {
  id: z.string(),
  tenant: z.string(),
  userId: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  scopes: z.array(z.string()).readonly().nullable(),
  operator: z.boolean().describe('it may run the installation, whatever its role and scopes are'),
  createdAt: time,
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
  secret: z.string().optional().describe('the key itself, shown this once'),
})

const newKeySchema = namedInput('NewKey', {
  name: words(100),
  userId: words(100).optional(),
  role: z.enum(ROLES).optional(),
  scopes: z.array(words(200)).max(100).optional(),
  expiresAt: z.iso
    .datetime()
    .transform((text) => Date.parse(text))
    .optional(),
  tenant: words(100).optional().describe('another tenant than your own needs operator'),
  operator: z.boolean().optional().describe('it may run the installation; only an operator gives that'),
})

const list = route('user:manage', 'get /api/keys', {
  summary: 'The keys there are, without their secrets',
  responses: { 200: json(page(keySchema), 'keys') },
})

const add = route('user:manage', 'post /api/keys', {
  summary: 'Make a key',
  description: 'The answer holds the key, this once: a repeated request gets everything but the secret.',
  request: { headers: onceHeader, ...body(newKeySchema) },
  responses: { 201: json(keySchema, 'the new key') },
})

const revoke = route('user:manage', 'delete /api/keys/{id}', {
  summary: 'Revoke a key; streams that are open under it end, rounds go on',
  request: { params: z.object({ id: words(200) }) },
  responses: { 204: { description: 'it is revoked' } },
})

export function keyRoutes({ keys }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const all = await keys.list(c.get('actor'))
      return c.json({ items: all.map(wire), next: null }, 200)
    })
    .openapi(add, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(wire(await keys.add(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(revoke, (c) => noContent(c, keys.revoke(c.get('actor'), c.req.valid('param').id)))
}
