import { z } from '@hono/zod-openapi'
import { JOB_STATES } from '../../../contract/job.ts'
import { iso } from '../bodies.ts'
import { given } from '../given.ts'
import { json, newRoutes, route, type App, type Services } from '../route.ts'
import { page } from '../schemas.ts'

const time = z.iso.datetime()
const jobSchema = z
  .object({
    id: z.number().int(),
    kind: z.string(),
    state: z.enum(JOB_STATES),
    attempts: z.number().int().openapi({ description: 'how often it was begun' }),
    runAt: time.openapi({ description: 'when it is due, or was when it was parked' }),
    parkedAt: time.optional(),
    reason: z.string().optional().openapi({ description: 'why it was parked, in a word' }),
  })
  .openapi('Job')

const number = (most: string) => z.string().regex(/^\d{1,15}$/, most)

const list = route('operator', 'get /api/jobs', {
  summary: 'Stored jobs, oldest first: those that wait, and those that are parked',
  description:
    'A job that failed JOB_ATTEMPTS times, or of a kind nobody knows, is parked: nothing is done with it until somebody has it tried again.',
  request: {
    query: z.object({
      state: z.enum(JOB_STATES).optional(),
      cursor: number('expected the `next` of an earlier page').optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
  },
  responses: { 200: json(page(jobSchema), 'a page of jobs') },
})

const retry = route('operator', 'post /api/jobs/{id}/retry', {
  summary: 'Have a parked job tried again, as if it had never failed',
  request: { params: z.object({ id: number('expected the number of a job') }) },
  responses: { 204: { description: 'it is tried as soon as others that are due before it are done' } },
})

/** Work that is stored and done later, for operators. */
export function jobRoutes({ jobs }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await jobs.list(c.get('actor'), given(c.req.valid('query')))
      const bodies = items.map(({ runAt, parkedAt, ...job }) => ({
        ...job,
        runAt: iso(runAt),
        ...(parkedAt !== undefined && { parkedAt: iso(parkedAt) }),
      }))
      return c.json({ items: bodies, next }, 200)
    })
    .openapi(retry, async (c) => {
      await jobs.retry(c.get('actor'), Number(c.req.valid('param').id))
      return c.body(null, 204)
    })
}
