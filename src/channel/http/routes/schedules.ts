import { z } from '@hono/zod-openapi'
import type { Schedule } from '../../../workflow/index.ts'
import { automationBody, automationFields, changeFields, idField } from '../automation-fields.ts'
import { automationRoutes } from '../automation-routes.ts'
import { iso } from '../bodies.ts'
import { newRoutes, noContent, type App, type Services } from '../route.ts'
import { anyObject, given, named, namedInput, someObject, time, words } from '../schemas.ts'

const inputFields = {
  cron: words(200).describe('minute, hour, day of the month, month, day of the week'),
  timeZone: words(100).optional().describe('such as Europe/Berlin; default: UTC'),
  workflowId: idField.optional(),
  input: someObject.optional().describe('of the workflow'),
  sessionId: idField.optional().describe('instead of a workflow: a conversation of yours'),
  content: words(100_000).optional().describe('what is said there'),
}

const scheduleSchema = named('Schedule', {
  ...automationFields,
  cron: z.string(),
  timeZone: z.string(),
  workflowId: z.string().optional(),
  input: anyObject.optional(),
  sessionId: z.string().optional(),
  content: z.string().optional(),
  nextAt: time.optional().describe('when it starts something next'),
})
const newScheduleSchema = namedInput('NewSchedule', inputFields)
const changesSchema = namedInput('ScheduleChanges', { ...z.object(inputFields).partial().shape, ...changeFields })

const { list, create, get, change, remove } = automationRoutes(
  'schedule',
  { one: scheduleSchema, wanted: newScheduleSchema, changes: changesSchema },
  { list: 'What the clock starts, newest first', create: 'Have the clock start a workflow or say something, as you' },
)

function scheduleBody({ dueAt, ...schedule }: Schedule) {
  const { cron, timeZone, action } = schedule.body
  const { does: _, ...started } = action
  return {
    ...automationBody(schedule),
    cron,
    timeZone,
    ...started,
    ...(dueAt !== undefined && { nextAt: iso(dueAt) }),
  }
}

export function scheduleRoutes({ schedules }: Services): App {
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await schedules.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(scheduleBody), next }, 200)
    })
    .openapi(create, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(scheduleBody(await schedules.create(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(get, async (c) => c.json(scheduleBody(await schedules.get(c.get('actor'), c.req.valid('param').id)), 200))
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(scheduleBody(await schedules.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
    .openapi(remove, (c) => noContent(c, schedules.remove(c.get('actor'), c.req.valid('param').id)))
}
