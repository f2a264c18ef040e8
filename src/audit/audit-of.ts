import {
  auditRecord,
  type AuditAction,
  type AuditMetadata,
  type AuditRecord,
  type AuditSeverity,
} from '../contract/audit.ts'
import type { ActorRef } from '../contract/actor.ts'
import type { EventData, NewEvent } from '../contract/event.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import { textOf, type JsonObject, type Usage } from '../contract/message.ts'
import type { EffectClass } from '../contract/outcome.ts'
import { sha256 } from '../lib/hash.ts'
import { inputHash } from './input-hash.ts'

/** The session of an event, after the event was folded in. */
export interface Audited {
  readonly sessionId: string
  readonly actor: ActorRef
  /** the event's round, even if the event just ended it */
  readonly round: AuditedRound | null
}

export interface AuditedRound {
  readonly started: Pick<RoundStarted, 'actor' | 'channel'>
  readonly turn: number
  readonly executions: number
  readonly runningMs: number
  readonly calls: readonly AuditedCall[]
  readonly turnEnded: Pick<EventData['turn.ended'], 'stopReason'> | null
  /** text the user saw, by turn */
  readonly said: ReadonlyMap<number, string>
}

export interface AuditedCall {
  readonly callId: string
  readonly name: string
  readonly args: JsonObject
  readonly raw: string | undefined
  /** null if it never started */
  readonly effect: EffectClass | null
  /** null if nobody was asked */
  readonly approval: object | null
}

function channelOf(round: AuditedRound | null): AuditMetadata {
  const channel = round?.started.channel
  return channel === undefined ? {} : { channel }
}

const NOTHING: readonly AuditRecord[] = []

/** What is recorded of an event, never its content; it runs for every event, so most must cost nothing. */
export function auditOf(event: NewEvent, about: Audited): readonly AuditRecord[] {
  const { round } = about
  switch (event.type) {
    case 'message.user':
      return records(event, about, [
        'message_received',
        { chars: textOf(event.data.content).length, ...channelOf(round) },
      ])
    case 'round.started': {
      const { protocol, mode, model, attended, continues, origin } = event.data
      const more = {
        ...(continues !== undefined && { continues }),
        ...(origin && { origin: origin.kind, automationId: origin.id, depth: origin.depth }),
      }
      return records(event, about, ['orchestrator.request.start', { protocol, mode, model, attended, ...more }])
    }
    case 'tool.started': {
      const { callId, effect } = event.data
      const call = round?.calls.find((one) => one.callId === callId)
      if (!call) return NOTHING
      const what = { tool: call.name, callId, effectClass: effect, inputHash: inputHash(call.args) }
      return records(event, about, ['orchestrator.tool.call', what])
    }
    case 'tool.result':
      return resultRecords(event, about)
    case 'round.ended':
      return endRecords(event, about)
    case 'approval.decided': {
      const { approvalId, callId, decision, by, remember } = event.data
      const what = { approvalId, callId, decision, remembered: remember !== undefined }
      return byPerson(event, about, by, 'approval_decided', what)
    }
    case 'tool.reconciled': {
      const { callId, happened, by } = event.data
      return byPerson(event, about, by, 'call_reconciled', { callId, happened })
    }
    case 'message.deleted':
      return byPerson(event, about, event.data.by, 'message_deleted', { messageId: event.data.target })
    case 'session.deleted':
      return byPerson(event, about, event.data.by, 'session_deleted')
    case 'session.archived':
      return byPerson(event, about, event.data.by, 'session_archived')
    case 'context.cleared':
      return byPerson(event, about, event.data.by, 'context_cleared')
    case 'session.created':
      return records(event, about, ['session_created', { workspaceId: event.data.workspaceId }])
    case 'session.forked':
      return records(event, about, ['session_forked', { parentId: event.data.parent.sessionId }])
    case 'session.changed':
      return records(event, about, ['session_changed'])
    case 'model.answered': {
      const { cost = 0, durationMs, usage } = event.data
      // In a round it is part of what the round costs.
      if (event.requestId !== null) return []
      return records(event, about, ['orchestrator.cost.recorded', { cost, durationMs, ...tokensOf(usage) }])
    }
    case 'model.asked':
    case 'round.asked':
    case 'round.waiting':
    case 'round.paused':
    case 'round.resumed':
    case 'phase.started':
    case 'phase.ended':
    case 'turn.started':
    case 'turn.retried':
    case 'turn.ended':
    case 'message.assistant':
    case 'tool.call':
    case 'tool.submitted':
    case 'approval.requested':
    case 'notice':
    case 'compact.summary':
      return NOTHING
  }
}

type Said = readonly [action: AuditAction, metadata?: AuditMetadata, severity?: AuditSeverity]
type EventOfType<T> = Extract<NewEvent, { type: T }>

/** Ids derive from the event's, so that an event is never recorded under two ids. */
function records(event: NewEvent, { sessionId, actor, round }: Audited, ...said: readonly Said[]): AuditRecord[] {
  const { at, requestId } = event
  const userId = round?.started.actor.id ?? actor.id
  return said.map(([action, metadata, severity], i) =>
    auditRecord(
      action,
      { id: `${event.id}.${i + 1}`, at, requestId, sessionId, userId, tenant: actor.tenant },
      metadata,
      severity,
    ),
  )
}

function byPerson(
  event: NewEvent,
  about: Audited,
  by: string,
  action: AuditAction,
  metadata: AuditMetadata = {},
): AuditRecord[] {
  return records(event, about, [action, metadata]).map((record) => ({ ...record, userId: by }))
}

function resultRecords(event: EventOfType<'tool.result'>, about: Audited): AuditRecord[] {
  const { callId, outcome, effect, code, content, cut = 0, durationMs, cost } = event.data
  const call = about.round?.calls.find((one) => one.callId === callId)
  const ran = call?.effect != null
  const what = { ...toolOf(event.data, call), callId, outcome, ...(code !== undefined && { code }) }
  const severity = outcome === 'ok' || outcome === 'cancelled' ? 'info' : 'warning'
  const result = { ...what, effect, durationMs, chars: content.length + cut, cost }
  const said: Said[] = [['orchestrator.tool.result', result, severity]]
  if (ran) said.unshift(['tool_executed', { ...what, durationMs }, severity])
  else if (outcome === 'refused' || outcome === 'denied') said.unshift(['tool_denied', what, severity])
  return records(event, about, ...said)
}

/**
 * A tool's name is recorded only if such a tool exists: it ran, a person was asked, or a rule after the existence check
 * refused it. Any other name is the model's words.
 */
function toolOf({ name, code }: EventData['tool.result'], call: AuditedCall | undefined): AuditMetadata {
  const judged = code !== undefined && code !== 'UNKNOWN_TOOL' && call?.raw === undefined
  const known = call !== undefined && (call.effect !== null || call.approval !== null || judged)
  return known ? { tool: name } : { tool: 'unknown', nameHash: sha256(name) }
}

function tokensOf({ input, output, cachedRead, cachedWrite, reasoning, estimated }: Usage): AuditMetadata {
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cachedRead !== undefined && { cachedReadTokens: cachedRead }),
    ...(cachedWrite !== undefined && { cachedWriteTokens: cachedWrite }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(estimated !== undefined && { estimated }),
  }
}

const NO_WORK = { durationMs: 0, turns: 0, toolCalls: 0 }

function endRecords(event: EventOfType<'round.ended'>, about: Audited): AuditRecord[] {
  const { finishReason, usage, cost, unstarted } = event.data
  const { round } = about
  if (unstarted) return records(event, about, ['orchestrator.request.complete', { finishReason, ...NO_WORK }])
  const durationMs = round?.runningMs ?? 0
  const error = finishReason === 'error'
  const severity: AuditSeverity = error ? 'error' : 'info'
  const stopReason = round?.turnEnded?.stopReason
  const tokens = tokensOf(usage)
  return records(
    event,
    about,
    [
      error ? 'orchestrator.request.error' : 'orchestrator.request.complete',
      { finishReason, durationMs, turns: round?.turn ?? 0, toolCalls: round?.executions ?? 0 },
      severity,
    ],
    [
      error ? 'message_error' : 'message_complete',
      {
        finishReason,
        chars: round?.said.get(round.turn)?.length ?? 0,
        durationMs,
        ...tokens,
        ...(stopReason !== undefined && { stopReason }),
      },
      severity,
    ],
    ['orchestrator.cost.recorded', { cost, durationMs, ...tokens }],
  )
}
