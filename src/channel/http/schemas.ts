import { z } from '@hono/zod-openapi'
import type { Completion } from '../../contract/turn.ts'
import type { ApprovalView, RoundView, SessionView, UnknownCallView } from '../../contract/views.ts'

/** An object whose fields are not described here. */
export const anyObject = z.any().openapi({ type: 'object' })
const time = z.string().openapi({ format: 'date-time' })
const protocol = z.enum(['unified', 'triggered'])

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.string(),
    detail: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem')

export const sessionSchema = z
  .object({
    id: z.string(),
    alias: z.string().optional(),
    workspaceId: z.string(),
    title: z.string(),
    model: z.string().optional(),
    protocol: protocol.optional(),
    parent: z.object({ sessionId: z.string(), seq: z.number().int() }).optional(),
    seq: z.number().int(),
    archived: z.boolean(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Session')

export const roundSchema = z
  .object({
    requestId: z.string(),
    sessionId: z.string(),
    state: z.enum(['queued', 'running', 'waiting', 'paused', 'ended']),
    protocol,
    mode: z.enum(['plan', 'act']),
    model: z.string(),
    waitingFor: z.string().optional(),
    usage: anyObject,
    cost: z.number().int(),
    finishReason: z.string().optional(),
    startedAt: time,
    endedAt: time.optional(),
  })
  .openapi('Round')

export const approvalSchema = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    requestId: z.string(),
    callId: z.string(),
    tool: z.string(),
    args: anyObject,
    target: z.string(),
    reason: z.string(),
    status: z.enum(['pending', 'approved', 'denied', 'expired', 'stale']),
    expiresAt: time,
    decidedBy: z.string().optional(),
  })
  .openapi('Approval')

export const callSchema = z
  .object({
    callId: z.string(),
    sessionId: z.string(),
    requestId: z.string(),
    tool: z.string(),
    outcome: z.string(),
    effect: z.string(),
    endedAt: time,
  })
  .openapi('Call')

export const newSessionSchema = z
  .strictObject({
    workspaceId: z.enum(['system']).optional(),
    title: z.string().min(1).max(200).optional(),
    model: z.string().optional(),
    protocol: protocol.optional(),
  })
  .openapi('NewSession')

export const sessionChangesSchema = z
  .strictObject({
    title: z.string().min(1).max(200).optional(),
    model: z.string().nullable().optional(),
    protocol: protocol.nullable().optional(),
    archived: z.boolean().optional(),
  })
  .openapi('SessionChanges')

export const newMessageSchema = z
  .strictObject({
    content: z.string(),
    protocol: protocol.optional(),
    mode: z.enum(['plan', 'act']).optional(),
    model: z.string().optional(),
    limits: z.record(z.string(), z.number().int().min(0)).optional(),
    onBusy: z.enum(['queue', 'reject', 'interrupt']).optional(),
    toolResultsAs: z.enum(['system', 'tool']).optional(),
  })
  .openapi('NewMessage')

export const acceptedSchema = z
  .object({
    requestId: z.string(),
    sessionId: z.string(),
    state: z.enum(['running', 'queued', 'waiting', 'paused', 'ended']),
  })
  .openapi('Accepted')

export const completionSchema = z
  .object({
    requestId: z.string(),
    sessionId: z.string(),
    content: z.string(),
    finishReason: z.string().nullable(),
    usage: anyObject,
    cost: z.number().int(),
    calls: z.array(anyObject),
  })
  .openapi('Completion')

const iso = (ms: number): string => new Date(ms).toISOString()

export function sessionBody({ owner: _, createdAt, updatedAt, ...session }: SessionView) {
  return { ...session, createdAt: iso(createdAt), updatedAt: iso(updatedAt) }
}

export function roundBody({ startSeq: _, endSeq: __, startedAt, endedAt, usage, ...round }: RoundView) {
  return {
    ...round,
    usage: { ...usage },
    startedAt: iso(startedAt),
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
  }
}

export function approvalBody({ expiresAt, requestedAt: _, rememberable: __, args, ...approval }: ApprovalView) {
  return { ...approval, args: { ...args }, expiresAt: iso(expiresAt) }
}

export function callBody({ endedAt, signature: _, reconciled: __, ...call }: UnknownCallView) {
  return { ...call, endedAt: iso(endedAt) }
}

export function completionBody({ usage, calls, ...completion }: Completion) {
  return { ...completion, usage: { ...usage }, calls: calls.map((call) => ({ ...call })) }
}
