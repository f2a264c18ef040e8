import { z } from '@hono/zod-openapi'
import { JOB_STATES } from '../../../contract/job.ts'
import { wire } from '../bodies.ts'
import { json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { cursor, given, limit, named, page } from '../schemas.ts'

const NUMBER = /^\d{1,15}$/
const jobSchema = named('Job', {
  id: z.number().int(),
  kind: z.string(),
  state: z.enum(JOB_STATES),
  attempts: z.number().int().describe('how often it was begun'),
  runAt: z.iso.datetime().describe('when it is due, or was when it was parked'),
  parkedAt: z.iso.datetime().optional(),
  reason: z.string().optional().describe('why it was parked, in a word'),
})

const list = route('operator', 'get /api/jobs', {
  summary: 'Stored jobs, oldest first: those that wait, and those that are parked',
  description: 'A job that failed JOB_ATTEMPTS times, or of a kind nobody knows, is parked: it is not tried any more.',
  request: {
    query: z.object({
      state: z.enum(JOB_STATES).optional(),
      cursor: cursor(NUMBER),
      limit,
    }),
  },
  responses: { 200: json(page(jobSchema), 'a page of jobs') },
})

const retry = route('operator', 'post /api/jobs/{id}/retry', {
  summary: 'Have a parked job tried again, as if it had never failed',
  request: { params: z.object({ id: z.string().regex(NUMBER, 'expected the number of a job') }) },
  responses: { 204: { description: 'it is tried next' } },
})

export function jobRoutes({ jobs }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await jobs.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(wire), next }, 200)
    })
    .openapi(retry, (c) => noContent(c, jobs.retry(c.get('actor'), Number(c.req.valid('param').id))))
}
