import { z } from '@hono/zod-openapi'
import { wire } from '../bodies.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'

const checkSchema = z.object({
  ok: z.boolean(),
  sessions: z.number().int(),
  events: z.number().int(),
  findings: z.array(z.string()).readonly(),
})

const check = route('operator', 'get /api/db/check', {
  summary: 'Is the database sound, and does everything in it agree with the logs?',
  responses: { 200: json(checkSchema, 'what was found; it is all well where `ok` is true') },
})

const bytes = z.number().int().describe('bytes')
const compactSchema = z.object({
  before: bytes,
  after: bytes,
  freed: bytes,
  needsRewrite: z.boolean().describe('nothing can be given back before it is written anew'),
})

const compact = route('operator', 'post /api/db/compact', {
  summary: 'Give what was erased back to the disk',
  description:
    'In small steps, with everything else going on in between. A database from before must be written anew first: in the quiet hours, or by `segno db compact` while Segno is stopped.',
  responses: { 200: json(compactSchema, 'what it brought') },
})

const workSchema = z.object({
  work: z
    .object({
      what: z.enum(['check', 'compact']),
      doing: z.enum(['waiting', 'copying', 'checking', 'compacting']),
      done: z.number().int().describe('pages of the file; sessions where it is checked'),
      total: z.number().int(),
      startedAt: z.iso.datetime(),
    })
    .nullable(),
})

const work = route('operator', 'get /api/db/work', {
  summary: 'How far is the check or the compaction that goes on now?',
  responses: { 200: json(workSchema, 'null where nothing goes on') },
})

const stop = route('operator', 'delete /api/db/work', {
  summary: 'Stop the check or the compaction that goes on now',
  description: 'Who waits for it gets a 409. What was given back by then stays given back.',
  responses: { 204: { description: 'it was stopped, or nothing was going on' } },
})

export function databaseRoutes(services: Services): App {
  return newRoutes()
    .openapi(check, async (c) => {
      // It stops when all clients that wait for it have left.
      return c.json(await services.check(c.req.raw.signal), 200)
    })
    .openapi(compact, async (c) => c.json(await services.compact(c.req.raw.signal), 200))
    .openapi(work, (c) => {
      const going = services.work()
      return c.json({ work: going ? wire(going) : null }, 200)
    })
    .openapi(stop, (c) => {
      services.stopWork()
      return c.body(null, 204)
    })
}
