import { z } from '@hono/zod-openapi'
import { keyBody } from '../bodies.ts'
import { given } from '../given.ts'
import { body, json, newRoutes, onceHeader, route, type App, type Services } from '../route.ts'
import { keySchema, newKeySchema, page } from '../schemas.ts'

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
  request: { params: z.object({ id: z.string().min(1).max(200) }) },
  responses: { 204: { description: 'it is revoked' } },
})

export function keyRoutes({ keys }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const all = await keys.list(c.get('actor'))
      return c.json({ items: all.map(keyBody), next: null }, 200)
    })
    .openapi(add, async (c) => {
      const { expiresAt, ...wanted } = c.req.valid('json')
      const ends = expiresAt === undefined ? undefined : Date.parse(expiresAt)
      const once = c.req.header('idempotency-key')
      return c.json(keyBody(await keys.add(c.get('actor'), given({ ...wanted, expiresAt: ends }), once)), 201)
    })
    .openapi(revoke, async (c) => {
      await keys.revoke(c.get('actor'), c.req.valid('param').id)
      return c.body(null, 204)
    })
}
