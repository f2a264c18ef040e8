import type { AutomationEvent, EVENT_TYPES } from '../contract/automation.ts'
import { filesOf, type EventOf, type NewEvent } from '../contract/event.ts'
import type { ActorRef } from '../contract/actor.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import { textOf, type JsonObject } from '../contract/message.ts'

/** The session of an event, and the round it belongs to. */
export interface Happened {
  readonly sessionId: string
  readonly workspaceId: string
  readonly actor: ActorRef
  /** the number the event gets */
  readonly seq: number
  readonly round: HappenedRound | null
}

export interface HappenedRound {
  readonly started: Pick<RoundStarted, 'actor' | 'origin'>
  readonly calls: readonly { readonly callId: string; readonly name: string }[]
}

/** Outcomes of calls that were tried and went wrong; refused, denied and cancelled ones did as they were told. */
const FAILED: ReadonlySet<string> = new Set(['error', 'timeout', 'unknown'])

/**
 * What automations hear of an event, if one of the tenant wants to: ids, types and sizes, never its words. It runs for
 * every event, so most must cost nothing.
 */
export function outboxOf(event: NewEvent, about: Happened, wanted: ReadonlySet<string>): AutomationEvent | undefined {
  if (wanted.size === 0) return undefined
  const type = typeOf(event)
  if (type === undefined || !wanted.has(type)) return undefined
  const { sessionId, workspaceId, actor, seq, round } = about
  const origin = round?.started.origin
  const { requestId } = event
  const where = { sessionId, workspaceId, eventId: event.id, seq, ...(requestId !== null && { requestId }) }
  return {
    id: event.id,
    type,
    tenant: actor.tenant,
    userId: round?.started.actor.id ?? actor.id,
    sessionId,
    at: event.at,
    payload: { ...where, ...(origin && { origin: origin.kind }), ...payloadOf(event, round) },
    depth: origin?.depth ?? 0,
  }
}

type SessionEventType = Extract<
  (typeof EVENT_TYPES)[number],
  'chat.message.created' | 'tool.invocation.failed' | 'approval.requested' | 'approval.completed'
>

/** Messages are what people say and what they are answered; what a model says between its calls is neither. */
function typeOf(event: NewEvent): SessionEventType | undefined {
  switch (event.type) {
    case 'message.user':
      return event.data.own || event.data.redacted ? undefined : 'chat.message.created'
    case 'message.assistant':
      return event.data.final && !event.data.redacted ? 'chat.message.created' : undefined
    case 'tool.result':
      return FAILED.has(event.data.outcome) ? 'tool.invocation.failed' : undefined
    case 'approval.requested':
      return 'approval.requested'
    case 'approval.decided':
      return 'approval.completed'
    default:
      return undefined
  }
}

function payloadOf(event: NewEvent, round: HappenedRound | null): JsonObject {
  switch (event.type) {
    case 'message.user':
      return { role: 'user', chars: textOf(event.data.content).length, files: filesOf(event).length }
    case 'message.assistant':
      return { role: 'assistant', chars: textOf(event.data.content).length, files: filesOf(event).length }
    case 'tool.result':
      return failurePayload(event.data)
    case 'approval.requested': {
      const { approvalId, callId, tool, args, expiresAt, question } = event.data
      const chars = JSON.stringify(args).length
      const until = new Date(expiresAt).toISOString()
      return { approvalId, callId, tool, chars, isQuestion: question !== undefined, expiresAt: until }
    }
    case 'approval.decided': {
      const { approvalId, callId, decision, by } = event.data
      const tool = round?.calls.find((call) => call.callId === callId)?.name
      return { approvalId, callId, decision, by, ...(tool !== undefined && { tool }) }
    }
    default:
      return {}
  }
}

function failurePayload(result: EventOf<'tool.result'>['data']): JsonObject {
  const { callId, name: tool, outcome, code, effect, durationMs, content, cut = 0 } = result
  const chars = content.length + cut
  return { callId, tool, outcome, ...(code !== undefined && { code }), effect, durationMs, chars }
}
