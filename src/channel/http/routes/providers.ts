import { z } from '@hono/zod-openapi'
import { STORED_KINDS } from '../../../model/index.ts'
import { wire } from '../bodies.ts'
import { body, json, newRoutes, noContent, optionalBody, route, type App, type Services } from '../route.ts'
import { given, named, namedInput, page, time, words } from '../schemas.ts'

const texts = z.record(z.string(), z.string().max(1000))
const kinds = `one of ${STORED_KINDS.join(', ')}`

const providerSchema = named('Provider', {
  name: z.string(),
  kind: z.string(),
  baseURL: z.string().optional(),
  headers: texts.optional(),
  query: texts.optional(),
  local: z.boolean().optional().describe('its models cost nothing'),
  hasKey: z.boolean().describe('the key itself is never told'),
  secretHeaders: z.array(z.string()).readonly().optional().describe('headers whose values are secret'),
  secretQuery: z.array(z.string()).readonly().optional(),
  setting: z.string().optional().describe('the setting it comes from; then it cannot be changed here'),
  missing: z.string().optional().describe('why it cannot be used'),
  updatedAt: time.optional(),
})

/** What only an operator at the machine may say, and where. */
const ELSEWHERE = ['package', 'options', 'keyEnv', 'quirks']
const elsewhere = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys' && issue.keys.every((key) => ELSEWHERE.includes(key))
    ? 'cannot be set over HTTP, only in SEGNO_PROVIDERS, in the environment or segno.config'
    : undefined

const inputSchema = z
  .strictObject(
    {
      kind: words(64).optional().describe(`${kinds}; of a new one by default its name, or openai-compatible`),
      baseURL: words(500)
        .nullable()
        .optional()
        .describe('http or https, and public unless SEGNO_PRIVATE_ORIGINS names its origin'),
      key: words(4000).nullable().optional().describe('is stored encrypted; left out it stays, null takes it away'),
      headers: texts.nullable().optional().describe('plain values; left out they stay, null takes them away'),
      query: texts.nullable().optional(),
      local: z.boolean().optional(),
    },
    { error: elsewhere },
  )
  .openapi('ProviderInput')

const nameParam = z.object({ name: words(64) })

const list = route('operator', 'get /api/providers', {
  summary: 'The providers of models: those of settings, and those set here',
  responses: { 200: json(page(providerSchema), 'providers') },
})

const get = route('operator', 'get /api/providers/{name}', {
  summary: 'One provider of models, without its key',
  request: { params: nameParam },
  responses: { 200: json(providerSchema, 'the provider') },
})

const put = route('operator', 'put /api/providers/{name}', {
  summary: 'Set up a provider of models, for everybody, at once and without a restart',
  description:
    'What is left out stays as it was. Keys, and headers with the name of a secret, are stored encrypted and never told again.',
  request: { params: nameParam, ...body(inputSchema) },
  responses: { 200: json(providerSchema, 'the provider as it is now') },
})

const remove = route('operator', 'delete /api/providers/{name}', {
  summary: 'Remove a provider that was set here, with its key',
  request: { params: nameParam },
  responses: { 204: { description: 'it is gone' } },
})

const test = route('operator', 'post /api/providers/{name}/test', {
  summary: 'Does a provider answer? It is asked for its models, or else a model for a word',
  request: {
    params: nameParam,
    ...optionalBody(
      namedInput('ProviderTestInput', {
        model: words(200).optional().describe('what the provider calls a model, if it does not list its models'),
      }),
    ),
  },
  responses: { 200: json(named('ProviderTest', { ok: z.boolean(), message: z.string() }), 'what came of it') },
})

const rotate = route('operator', 'post /api/secrets/rotate', {
  summary: 'Encrypt all stored secrets with a new key, and drop the earlier ones',
  responses: {
    200: json(
      named('Rotated', {
        key: z.string().describe('which key it is; it tells nothing about it'),
        secrets: z.number().int().describe('how many were encrypted again'),
        keepsEarlier: z.boolean().describe('the key file could not be written: take the earlier keys out of it'),
      }),
      'what was done',
    ),
  },
})

const forgetLost = route('operator', 'post /api/secrets/forget-lost', {
  summary: 'Remove the stored secrets that cannot be read, because their key is lost',
  responses: { 200: json(z.object({ forgotten: z.array(z.string()).readonly() }), 'their names') },
})

export function providerRoutes({ providers, secrets }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const items = (await providers.list(c.get('actor'))).map(wire)
      return c.json({ items, next: null }, 200)
    })
    .openapi(get, async (c) => c.json(wire(await providers.get(c.get('actor'), c.req.valid('param').name)), 200))
    .openapi(put, async (c) => {
      const { kind, baseURL, key, headers, query, local } = c.req.valid('json')
      const input = given({ kind, baseURL, key, headers, query, local })
      return c.json(wire(await providers.set(c.get('actor'), c.req.valid('param').name, input)), 200)
    })
    .openapi(remove, (c) => noContent(c, providers.remove(c.get('actor'), c.req.valid('param').name)))
    .openapi(test, async (c) => {
      const { model } = c.req.valid('json') ?? {}
      const options = model === undefined ? {} : { model }
      return c.json(await providers.test(c.get('actor'), c.req.valid('param').name, options), 200)
    })
    .openapi(forgetLost, async (c) => c.json({ forgotten: await secrets.forgetLost(c.get('actor')) }, 200))
    .openapi(rotate, async (c) => c.json(await secrets.rotate(c.get('actor')), 200))
}
