import { z } from '@hono/zod-openapi'
import { ENGINE_NAMES, type Target } from '../../../contract/automation.ts'
import { hasEnded, INVOCATION_STATUSES } from '../../../contract/invocation.ts'
import { EFFECT_CLASSES } from '../../../contract/outcome.ts'
import type { MadeSecret, Workflow } from '../../../workflow/index.ts'
import {
  automationBody,
  automationFields,
  automationParam,
  jsonSchema,
  listQuery,
  secretField,
} from '../automation-fields.ts'
import { iso } from '../bodies.ts'
import { invocationBody, invocationSchema } from '../invocation-fields.ts'
import { body, json, newRoutes, onceHeader, route, type App, type Services } from '../route.ts'
import { anyObject, flag, given, named, namedInput, page, revision, someObject, time, words } from '../schemas.ts'
import { takePlace } from '../stream-out.ts'

const milliseconds = z.number().int().min(1)
const quota = z.strictObject({
  perHour: z.number().int().min(1).optional(),
  concurrent: z.number().int().min(1).optional(),
})
const retry = z.strictObject({
  attempts: z.number().int().min(1).optional(),
  baseMs: milliseconds.optional(),
  factor: z.number().min(1).optional(),
  maxMs: milliseconds.optional(),
})
const APPROVALS = ['auto', 'ask', 'always'] as const

const settings = {
  cost: z.number().int().min(0).optional().describe('micro-dollars of one run'),
  quota: quota.optional(),
  approval: z.enum(APPROVALS).optional().describe('who decides about a call of a model; by default its effect does'),
  retry: retry.optional().describe('how often handing over is tried, where its effect allows that'),
  timeoutMs: milliseconds.optional().describe('for handing over'),
  waitMs: milliseconds.optional().describe('for a result that comes later'),
}

const workflowSchema = named('Workflow', {
  ...automationFields,
  ...secretField,
  name: z.string().describe('models see it as `workflow_<name>`'),
  description: z.string(),
  engine: z.enum(ENGINE_NAMES),
  target: z.object({
    url: z.string().optional(),
    header: z.string().optional().describe('the name of the header that lets us in'),
    hasAuth: z.boolean().optional().describe('its value is stored, and never told'),
    apiUrl: z.string().optional(),
    hasApiKey: z.boolean().optional(),
    connection: z.string().optional(),
    workflowType: z.string().optional(),
    taskQueue: z.string().optional(),
  }),
  input: anyObject.describe('JSON Schema'),
  output: anyObject.optional().describe('JSON Schema'),
  effect: z.enum(EFFECT_CLASSES),
  ...settings,
  runs: z
    .object({
      since: time.describe('those that were started after this: seven days ago, or the oldest of the newest 500'),
      ...Object.fromEntries(INVOCATION_STATUSES.map((status) => [status, z.number().int()] as const)),
      medianMs: z.number().int().optional().describe('half of those whose end was told took less'),
    })
    .optional()
    .describe('how the last ones went, of those you may see; of one workflow only'),
})

const inputFields = {
  name: words(64).describe('letters, digits and _'),
  description: words(4000).describe('what it does, for models and people'),
  engine: z.enum(ENGINE_NAMES),
  target: someObject.describe(
    'n8n: {url, auth?: {header, value}, api?: {url, key}}; http: {url}; temporal: {connection, workflowType, taskQueue}',
  ),
  input: jsonSchema.describe('JSON Schema of its input'),
  output: jsonSchema.optional().describe('JSON Schema of its output'),
  effect: z.enum(EFFECT_CLASSES).optional().describe('default: unsafe'),
  ...settings,
  quota: quota.transform(given).optional(),
  retry: retry.transform(given).optional().describe('how often handing over is tried, where its effect allows that'),
}
const newWorkflowSchema = namedInput('NewWorkflow', inputFields)
const { output, cost, quota: most, approval, retry: again, timeoutMs, waitMs } = inputFields
const changesSchema = namedInput('WorkflowChanges', {
  ...z.object(inputFields).partial().shape,
  output: output.nullable(),
  cost: cost.nullable(),
  quota: most.nullable(),
  approval: approval.nullable(),
  retry: again.nullable(),
  timeoutMs: timeoutMs.nullable(),
  waitMs: waitMs.nullable(),
  status: z.enum(['active', 'deprecated']).optional().describe('deprecated: no longer offered to models'),
  revision,
})

const list = route('known', 'get /api/workflows', {
  summary: 'The workflows you may use, newest first; with workflow:manage all of your tenant',
  request: { query: listQuery },
  responses: { 200: json(page(workflowSchema), 'a page of workflows') },
})

const create = route('workflow:manage', 'post /api/workflows', {
  summary: 'Register a workflow; what it signs with is in this answer only',
  request: { headers: onceHeader, ...body(newWorkflowSchema) },
  responses: { 201: json(workflowSchema, 'the workflow') },
})

const get = route('known', 'get /api/workflows/{id}', {
  summary: 'One workflow, without what is secret',
  request: { params: automationParam },
  responses: { 200: json(workflowSchema, 'the workflow') },
})

const change = route('workflow:manage', 'patch /api/workflows/{id}', {
  summary: 'Change a workflow; what is left out stays, and null takes away what need not be there',
  request: { params: automationParam, ...body(changesSchema) },
  responses: { 200: json(workflowSchema, 'the workflow') },
})

const disable = route('workflow:manage', 'post /api/workflows/{id}/disable', {
  summary: 'Start it no more, and say why; what runs goes on',
  request: { params: automationParam, ...body(z.strictObject({ reason: words(500) })) },
  responses: { 200: json(workflowSchema, 'the workflow') },
})

const enable = route('workflow:manage', 'post /api/workflows/{id}/enable', {
  summary: 'Let it be started again',
  request: { params: automationParam },
  responses: { 200: json(workflowSchema, 'the workflow') },
})

const renew = route('workflow:manage', 'post /api/workflows/{id}/secret', {
  summary: 'Another secret to sign with; the one before stays good until the next',
  request: { params: automationParam },
  responses: { 200: json(workflowSchema, 'the workflow with its new secret') },
})

const invoke = route('known', 'post /api/workflows/{id}/invoke', {
  summary: 'Start it, once per key',
  description:
    'Needs tool:invoke or tool:workflow_<name>. Without an Idempotency-Key the same input within five minutes is the same run.',
  request: {
    params: automationParam,
    query: z.object({ wait: flag.describe('wait until it has ended, or as long as handing over may take') }),
    headers: onceHeader,
    ...body(namedInput('InvokeInput', { input: someObject })),
  },
  responses: {
    200: json(invocationSchema, 'it has ended'),
    202: json(invocationSchema, 'it is stored, and its result comes later'),
  },
})

function workflowBody({ name = '', body, secret, ...workflow }: Workflow & MadeSecret) {
  const { description, target, input, output, effect, costPerInvocation: cost, ...more } = body
  const { quota, approval, retry, timeoutMs, waitMs } = more
  return {
    ...automationBody(workflow),
    ...given({ secret, name, description, engine: target.engine, target: targetBody(target), input, output, effect }),
    ...given({ cost, quota, approval, retry, timeoutMs, waitMs }),
  }
}

function targetBody(target: Target) {
  if (target.engine === 'temporal') {
    const { connection, workflowType, taskQueue } = target
    return { connection, workflowType, taskQueue }
  }
  if (target.engine === 'http') return { url: target.url }
  const { url, header, apiUrl } = target
  return given({ url, header, hasAuth: header !== undefined, apiUrl, hasApiKey: apiUrl !== undefined })
}

export function workflowRoutes(services: Services): App {
  const { workflows, invocations } = services
  return newRoutes()
    .openapi(list, async (c) => {
      const { items, next } = await workflows.list(c.get('actor'), given(c.req.valid('query')))
      return c.json({ items: items.map(workflowBody), next }, 200)
    })
    .openapi(create, async (c) => {
      const once = c.req.header('idempotency-key')
      return c.json(workflowBody(await workflows.create(c.get('actor'), given(c.req.valid('json')), once)), 201)
    })
    .openapi(get, async (c) => {
      const actor = c.get('actor')
      const workflow = await workflows.get(actor, c.req.valid('param').id)
      const { since, ...sums } = await invocations.sums(actor, workflow.id)
      return c.json({ ...workflowBody(workflow), runs: { since: iso(since), ...sums } }, 200)
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(workflowBody(await workflows.change(c.get('actor'), id, given(c.req.valid('json')))), 200)
    })
    .openapi(disable, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(workflowBody(await workflows.disable(c.get('actor'), id, c.req.valid('json').reason)), 200)
    })
    .openapi(enable, async (c) => {
      return c.json(workflowBody(await workflows.enable(c.get('actor'), c.req.valid('param').id)), 200)
    })
    .openapi(renew, async (c) => {
      return c.json(workflowBody(await workflows.renewSecret(c.get('actor'), c.req.valid('param').id)), 200)
    })
    .openapi(invoke, async (c) => {
      const actor = c.get('actor')
      const { id } = c.req.valid('param')
      const { wait = false } = c.req.valid('query')
      const key = c.req.header('idempotency-key')
      const until = c.get('until')
      const signal = until ? AbortSignal.any([c.req.raw.signal, until]) : c.req.raw.signal
      const leave = wait ? takePlace(services, c) : () => {}
      try {
        const { input } = c.req.valid('json')
        const made = await invocations.invoke(actor, id, input, { ...given({ key }), wait, signal })
        const { name = '' } = await workflows.get(actor, id)
        return c.json(invocationBody(made, name), hasEnded(made) ? 200 : 202)
      } finally {
        leave()
      }
    })
}
