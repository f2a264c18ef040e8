import { z } from '@hono/zod-openapi'
import { JOB_STATES } from '../../../contract/job.ts'
import { iso } from '../bodies.ts'
import { given } from '../given.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'
import { cursor, page } from '../schemas.ts'

const NUMBER = /^\d{1,15}$/
const jobSchema = z
  .object({
    id: z.number().int(),
    kind: z.string(),
    state: z.enum(JOB_STATES),
    attempts: z.number().int().openapi({ description: 'how often it was begun' }),
    runAt: z.iso.datetime().openapi({ description: 'when it is due, or was when it was parked' }),
    parkedAt: z.iso.datetime().optional(),
    reason: z.string().optional().openapi({ description: 'why it was parked, in a word' }),
  })
  .openapi('Job')

const list = route('operator', 'get /api/jobs', {
  summary: 'Stored jobs, oldest first: those that wait, and those that are parked',
  description: 'A job that failed JOB_ATTEMPTS times, or of a kind nobody knows, is parked: it is not tried any more.',
  request: {
    query: z.object({
      state: z.enum(JOB_STATES).optional(),
      cursor: cursor(NUMBER),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
  },
  responses: { 200: json(page(jobSchema), 'a page of jobs') },
})

const retry = route('operator', 'post /api/jobs/{id}/retry', {
  summary: 'Have a parked job tried again, as if it had never failed',
  request: { params: z.object({ id: z.string().regex(NUMBER, 'expected the number of a job') }) },
  responses: { 204: { description: 'it is tried next' } },
})

/** Work that is stored and done later, for operators. */
export function jobRoutes({ jobs }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await jobs.list(c.get('actor'), given(c.req.valid('query')))
      const shown = items.map(({ runAt, parkedAt: at, ...job }) => ({
        ...job,
        runAt: iso(runAt),
        ...(at !== undefined && { parkedAt: iso(at) }),
      }))
      return c.json({ items: shown, next }, 200)
    })
    .openapi(retry, async (c) => {
      await jobs.retry(c.get('actor'), Number(c.req.valid('param').id))
      return c.body(null, 204)
    })
}
