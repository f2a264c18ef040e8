import { z } from '@hono/zod-openapi'
import { FORMALITIES, MOST_INSTRUCTION_CHARS, RESPONSE_LENGTHS } from '../../../contract/preferences.ts'
import { body, json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { given, named, namedInput } from '../schemas.ts'

const fields = {
  responseLength: z.enum(RESPONSE_LENGTHS).optional(),
  formality: z.enum(FORMALITIES).optional(),
  customInstructions: z
    .string()
    .max(MOST_INSTRUCTION_CHARS)
    .optional()
    .describe('for every answer; characters that cannot be seen are taken out'),
  allowMemory: z.boolean().optional().describe('default: no'),
  allowWebSearch: z.boolean().optional().describe('default: yes'),
}
const preferencesSchema = named('Preferences', fields)
const preferencesInputSchema = namedInput('PreferencesInput', fields)

const get = route('chat:read', 'get /api/preferences', {
  summary: 'What you want of every answer; a missing field is not set',
  responses: { 200: json(preferencesSchema, 'your preferences') },
})

const put = route('chat:write', 'put /api/preferences', {
  summary: 'Set what you want of every answer; replaces all you set before',
  request: body(preferencesInputSchema),
  responses: { 200: json(preferencesSchema, 'your preferences as they are stored') },
})

const forget = route('chat:write', 'delete /api/preferences', {
  summary: 'Forget your preferences, and erase your words also from what was sent to models',
  responses: { 204: { description: 'they are forgotten' } },
})

export function preferenceRoutes({ preferences }: Services): App {
  return newRoutes()
    .openapi(get, async (c) => c.json(await preferences.get(c.get('actor')), 200))
    .openapi(put, async (c) => c.json(await preferences.put(c.get('actor'), given(c.req.valid('json'))), 200))
    .openapi(forget, (c) => noContent(c, preferences.forget(c.get('actor'))))
}
