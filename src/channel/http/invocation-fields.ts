import { z } from '@hono/zod-openapi'
import {
  INVOCATION_CODES,
  INVOCATION_ORIGINS,
  INVOCATION_STATUSES,
  type Invocation,
} from '../../contract/invocation.ts'
import { iso, wire } from './bodies.ts'
import { anyObject, given, named, time } from './schemas.ts'

export const anyJson = z.any().openapi({ description: 'any JSON' })

const endFields = {
  error: z.string().optional(),
  code: z.enum(INVOCATION_CODES).optional().describe('of what went wrong'),
  attempts: z.number().int().describe('how often it was begun to be sent'),
  createdAt: time,
  endedAt: time.optional(),
  nextAt: time.optional().describe('when it is sent next'),
}

export const invocationSchema = named('Invocation', {
  id: z.string(),
  workflowId: z.string(),
  workflow: z.string().describe('the name of the workflow'),
  status: z.enum(INVOCATION_STATUSES).describe('unknown: it may have happened'),
  key: z.string().describe('sent with every attempt: the same key is the same run'),
  origin: z.enum(INVOCATION_ORIGINS),
  originId: z.string().optional().describe('id of the trigger, schedule or hook that made it'),
  input: anyObject.optional(),
  output: anyJson.optional(),
  raw: z.string().optional().describe('the beginning of an answer that did not fit'),
  engineRef: z.string().optional().describe('what its engine calls it'),
  sessionId: z.string().optional(),
  requestId: z.string().optional(),
  callId: z.string().optional(),
  depth: z.number().int().describe('how many automations led to it'),
  ...endFields,
  startedAt: time.optional().describe('when it was first handed over'),
  until: time.describe('how long its result is waited for'),
})

export const deliverySchema = named('Delivery', {
  id: z.string(),
  event: z.string(),
  status: z.enum(INVOCATION_STATUSES),
  ...endFields,
})

/** `workflow`: its name */
export function invocationBody(invocation: Invocation, workflow: string) {
  const { id, automationId: workflowId, status, key, origin, originId, input, output, raw, engineRef } = invocation
  const { sessionId, requestId, callId, depth, startedAt, until } = invocation
  const place = { sessionId, requestId, callId }
  return {
    ...given({
      id,
      workflowId,
      workflow,
      status,
      key,
      origin,
      originId,
      input,
      output,
      raw,
      engineRef,
      ...place,
      depth,
    }),
    ...endBody(invocation),
    ...(startedAt !== undefined && { startedAt: iso(startedAt) }),
    until: iso(until),
  }
}

export const deliveryBody = (delivery: Invocation) => ({
  id: delivery.id,
  event: delivery.event ?? '',
  status: delivery.status,
  ...endBody(delivery),
})

function endBody({ status, error, code, attempts, createdAt, endedAt, dueAt }: Invocation) {
  // While it is handed over for the first time, it is due when whoever does so has failed to.
  const nextAt = status === 'pending' && code !== undefined ? dueAt : undefined
  return wire(given({ error, code, attempts, createdAt, endedAt, nextAt }))
}
