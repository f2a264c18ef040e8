import type { StoredEvent } from '../contract/event.ts'
import type { ModelParams } from '../contract/model-params.ts'
import { cleanText } from './clean-text.ts'

/**
 * What an event changes in a row that is queried across sessions; applying it again to the whole log rebuilds the row.
 */
export interface Projection {
  readonly table: 'sessions' | 'rounds' | 'approvals' | 'calls'
  readonly key: string
  readonly create: boolean
  readonly set: Readonly<Record<string, Value>>
}

type Value = string | number | null

const NOTHING: readonly Projection[] = []

export function project(event: StoredEvent): readonly Projection[] {
  const { sessionId, seq, at } = event
  switch (event.type) {
    case 'session.created':
    case 'session.forked':
      return create('sessions', sessionId, {
        tenant: event.data.actor.tenant,
        owner: event.data.actor.id,
        workspace: event.data.workspaceId,
        alias: event.type === 'session.created' ? (event.data.alias ?? null) : null,
        title: event.data.title,
        model: event.data.model ?? null,
        protocol: event.data.protocol ?? null,
        params: paramsColumn(event.data.params),
        archived: 0,
        created_at: at,
        updated_at: at,
        used_at: at,
      })
    case 'session.changed': {
      const { title, model, protocol, archived, params } = event.data
      return update('sessions', sessionId, {
        ...(title !== undefined && { title }),
        ...(model !== undefined && { model }),
        ...(protocol !== undefined && { protocol }),
        ...(archived !== undefined && { archived: archived ? 1 : 0 }),
        ...(params !== undefined && { params: paramsColumn(params) }),
        updated_at: at,
      })
    }
    case 'session.archived':
      return update('sessions', sessionId, { archived: 1, updated_at: at })
    case 'session.deleted':
      return update('sessions', sessionId, { deleted: 1, title: '', alias: null, params: null, updated_at: at })
    case 'round.started':
      return [
        ...create('rounds', event.data.requestId, {
          start_seq: seq,
          end_seq: null,
          state: 'running',
          waiting_for: null,
          protocol: event.data.protocol,
          mode: event.data.mode,
          model: event.data.model,
          usage: null,
          cost: 0,
          finish_reason: null,
          started_at: at,
          ended_at: null,
        }),
        ...update('sessions', sessionId, { used_at: at }),
      ]
    case 'turn.retried':
      return update('rounds', round(event), { model: event.data.model })
    case 'round.waiting':
      return update('rounds', round(event), {
        state: 'waiting',
        waiting_for: event.data.for,
        waiting_until: event.data.until,
      })
    case 'round.paused':
      return update('rounds', round(event), { state: 'paused', ...NOT_WAITING })
    case 'round.resumed':
      return update('rounds', round(event), { state: 'running', ...NOT_WAITING })
    case 'round.ended': {
      const { unstarted, usage, cost, finishReason } = event.data
      const end = { end_seq: seq, usage: JSON.stringify(usage), cost, finish_reason: finishReason, ended_at: at }
      if (!unstarted) return update('rounds', round(event), { state: 'ended', ...NOT_WAITING, ...end })
      // The round has no other event, so it starts where it ends.
      const { protocol, mode, model, queuedAt } = unstarted
      const start = { start_seq: seq, protocol, mode, model, started_at: queuedAt }
      return create('rounds', round(event), { state: 'ended', waiting_for: null, ...start, ...end })
    }
    case 'approval.requested':
      return [
        ...create('approvals', event.data.approvalId, {
          request_id: round(event),
          call_id: event.data.callId,
          tool: event.data.tool,
          args: JSON.stringify(event.data.args),
          target: event.data.target,
          reason: event.data.reason,
          rememberable: event.data.rememberable ? 1 : 0,
          question: event.data.question ? 1 : 0,
          shown: event.data.shown ? JSON.stringify(event.data.shown) : null,
          status: 'pending',
          requested_at: at,
          expires_at: event.data.expiresAt,
          decided_by: null,
        }),
        ...(event.data.replaces === undefined ? [] : update('approvals', event.data.replaces, { status: 'stale' })),
      ]
    case 'approval.decided':
      return update('approvals', event.data.approvalId, {
        status: APPROVAL_STATUS[event.data.decision],
        decided_by: event.data.by,
      })
    case 'tool.result':
      if (event.data.effect !== 'unknown') return NOTHING
      return create('calls', event.data.callId, {
        request_id: round(event),
        tool: event.data.name,
        signature: event.data.signature,
        outcome: event.data.outcome,
        effect: 'unknown',
        ended_at: at,
        reconciled: null,
      })
    case 'tool.reconciled':
      return update('calls', event.data.callId, {
        effect: event.data.happened ? 'done' : 'none',
        reconciled: event.data.happened ? 1 : 0,
      })
    case 'round.asked':
    case 'phase.started':
    case 'phase.ended':
    case 'turn.started':
    case 'turn.ended':
    case 'message.user':
    case 'message.assistant':
    case 'tool.call':
    case 'tool.started':
    case 'tool.submitted':
    case 'notice':
    case 'model.asked':
    case 'model.answered':
    case 'compact.summary':
    case 'context.cleared':
    case 'message.deleted':
      return NOTHING
  }
  // An event type of a newer node, whose session is not owned here.
  return NOTHING
}

/** What the events of a commit change, once per row. */
export function projectAll(events: readonly StoredEvent[]): readonly Projection[] {
  const folded: Projection[] = []
  const places = new Map<string, number>()
  for (const one of events.flatMap(project)) {
    const row = `${one.table} ${one.key}`
    const known = places.get(row)
    const before = known === undefined ? undefined : folded[known]
    // A row that is created twice is a bug, which the database must refuse.
    if (known !== undefined && before && !one.create) folded[known] = { ...before, set: { ...before.set, ...one.set } }
    else {
      if (known === undefined) places.set(row, folded.length)
      folded.push(one)
    }
  }
  return folded
}

const paramsColumn = (params: ModelParams = {}): string | null =>
  Object.keys(params).length === 0 ? null : JSON.stringify(params)

const NOT_WAITING = { waiting_for: null, waiting_until: null }
const APPROVAL_STATUS = { approve: 'approved', deny: 'denied', expired: 'expired', stale: 'stale' } as const

function create(table: Projection['table'], key: string, set: Record<string, Value>): [Projection] {
  return [{ table, key, create: true, set: cleaned(set) }]
}

function update(table: Projection['table'], key: string, set: Record<string, Value>): [Projection] {
  return [{ table, key, create: false, set: cleaned(set) }]
}

function cleaned(set: Record<string, Value>): Record<string, Value> {
  for (const name in set) {
    const value = set[name]
    if (typeof value === 'string') set[name] = cleanText(value)
  }
  return set
}

function round(event: StoredEvent): string {
  if (event.requestId === null) throw new Error(`${event.type} ${event.seq} has no round`)
  return event.requestId
}
