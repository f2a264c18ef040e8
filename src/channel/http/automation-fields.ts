import { z } from '@hono/zod-openapi'
import { AUTOMATION_STATUSES, type Automation } from '../../contract/automation.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import { wire } from './bodies.ts'
import { byNumber, given, revision, someObject, time, words } from './schemas.ts'

/** What workflows, webhooks, hooks, triggers and schedules have in common. */

export const automationFields = {
  id: z.string(),
  status: z.enum(AUTOMATION_STATUSES),
  reason: z.string().optional().describe('why it is disabled'),
  createdBy: z.string().describe('the user as whom it runs'),
  createdAt: time,
  updatedAt: time,
  revision: z.number().int().describe('counts its changes'),
}

export const secretField = {
  secret: z.string().optional().describe('with which is signed; it is in the answer that made it and nowhere else'),
}

/** Of a change to anything but a workflow. */
export const changeFields = {
  status: z.enum(['active', 'disabled']).optional(),
  reason: words(500).optional().describe('why it is disabled'),
  revision,
}

export const listQuery = z.object({
  status: z.enum(AUTOMATION_STATUSES).optional(),
  ...byNumber,
})

export const automationParam = z.object({ id: words(200) })

/** Ids of sessions and automations. */
export const idField = words(200)

export const jsonSchema = someObject.transform((schema) => schema as JsonSchema).openapi({ type: 'object' })

export const actionSchema = z
  .discriminatedUnion('does', [
    z.strictObject({
      does: z.literal('workflow'),
      workflowId: idField,
      input: someObject.optional().describe('a template: `{{payload}}` or `{{payload.a.b}}` stand for what came'),
    }),
    z.strictObject({
      does: z.literal('message'),
      sessionId: idField,
      content: words(100_000).describe('a template: `{{payload}}` or `{{payload.a.b}}` stand for what came, as data'),
    }),
    z.strictObject({ does: z.literal('event'), type: words(200) }),
  ])
  .transform(given)

/** Without tenant, permissions and what its kind has of its own. */
export function automationBody(automation: Omit<Automation, 'kind' | 'body'>) {
  const { id, status, reason, createdBy, createdAt, updatedAt, revision } = automation
  return {
    ...wire({ id, status, createdBy, createdAt, updatedAt, revision }),
    ...(reason !== undefined && { reason }),
  }
}
