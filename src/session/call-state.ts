import type { ApprovalDecided, ApprovalRequested, ToolResult } from '../contract/call-events.ts'
import type { EventData, LaterKind, StoredEvent } from '../contract/event.ts'
import type { JsonObject } from '../contract/message.ts'
import type { EffectClass } from '../contract/outcome.ts'
import type { Round } from './round-state.ts'

/** A call goes used → called → (waiting → approved | denied) → started → (submitted) → done. */
export interface Call {
  readonly callId: string
  readonly turn: number
  readonly name: string
  readonly args: JsonObject
  readonly raw: string | undefined
  /** of its `tool.call` event, from which its idempotency key is made */
  eventId: string | null
  signature: string
  state: 'used' | 'called' | 'waiting' | 'approved' | 'denied' | 'started' | 'submitted' | 'done'
  approval: ApprovalRequested | null
  deniedBecause: 'deny' | 'expired' | null
  denial: string | undefined
  effect: EffectClass | null
  idempotencyKey: string | null
  /** of the tool when the call started */
  definitionHash: string | null
  /** micro-dollars and tokens reserved when it started */
  reserved: number
  reservedTokens: number
  /** it counts only for REMEMBERS */
  remembers: boolean
  /** started by an owner that was evicted, so it may still be running */
  isDoubtful: boolean
  /** when it was handed over, and the deadline for its result */
  submitted: { readonly at: number; readonly until: number; readonly kind: LaterKind } | null
  /** what it asks a person while it runs */
  question: ApprovalRequested | null
  /** the decisions on its questions, in order */
  answers: Answered[]
  result: ToolResult | null
}

export interface Answered {
  readonly argsHash: string
  readonly decided: ApprovalDecided
}

type CallEvent = Extract<
  StoredEvent,
  { type: 'tool.call' | 'approval.requested' | 'approval.decided' | 'tool.started' | 'tool.submitted' | 'tool.result' }
>

export function evolveCall(round: Round, event: CallEvent): void {
  const call = findCall(round, event.data.callId)
  if (!call) return
  switch (event.type) {
    case 'tool.call':
      call.state = 'called'
      call.eventId = event.id
      call.signature = event.data.signature
      return
    case 'approval.requested':
      if (event.data.question) {
        call.question = event.data
        return
      }
      call.state = 'waiting'
      call.approval = event.data
      return
    case 'approval.decided':
      // A stale approval is no progress, because a new owner writes it itself.
      if (event.data.decision !== 'stale') round.takeovers = 0
      if (call.question?.approvalId === event.data.approvalId) {
        call.answers.push({ argsHash: call.question.argsHash, decided: event.data })
        call.question = null
        return
      }
      if (call.state !== 'waiting' || call.approval?.approvalId !== event.data.approvalId) return
      if (event.data.decision === 'approve') call.state = 'approved'
      else if (event.data.decision === 'stale') call.state = 'called'
      else {
        call.state = 'denied'
        call.deniedBecause = event.data.decision
        call.denial = event.data.reason
      }
      return
    case 'tool.started':
      call.state = 'started'
      call.effect = event.data.effect
      call.idempotencyKey = event.data.idempotencyKey
      call.definitionHash = event.data.definitionHash ?? null
      call.reserved = event.data.reserved
      call.reservedTokens = event.data.tokens ?? 0
      if (event.data.remembers) {
        call.remembers = true
        round.remembered += 1
        return
      }
      round.executions += 1
      if (round.phase) round.phase.executions += 1
      return
    case 'tool.submitted':
      call.state = 'submitted'
      call.submitted = { at: event.at, until: event.data.until, kind: event.data.kind ?? 'result' }
      call.reserved = event.data.cost ?? call.reserved
      call.reservedTokens = event.data.tokens ?? call.reservedTokens
      round.takeovers = 0
      return
    case 'tool.result':
      call.state = 'done'
      call.result = event.data
      round.cost += event.data.cost
      if (event.data.outcome !== 'unknown') round.takeovers = 0
      if (round.pause === 'asked') round.pause = 'due'
      if (event.data.outcome === 'refused' || event.data.outcome === 'denied') round.fruitless += 1
      if (event.data.outcome !== 'cancelled' && call.signature !== '') round.signatures.add(call.signature)
      return
  }
}

export function usedCall(
  part: Extract<EventData['message.assistant']['content'][number], { type: 'tool_use' }>,
  turn: number,
): Call {
  return {
    callId: part.id,
    turn,
    name: part.name,
    args: part.input,
    raw: part.raw,
    eventId: null,
    signature: '',
    state: 'used',
    approval: null,
    deniedBecause: null,
    denial: undefined,
    effect: null,
    idempotencyKey: null,
    definitionHash: null,
    reserved: 0,
    reservedTokens: 0,
    remembers: false,
    isDoubtful: false,
    submitted: null,
    question: null,
    answers: [],
    result: null,
  }
}

export function findCall(round: Round, callId: string): Call | undefined {
  return round.calls.find((call) => call.callId === callId)
}

/** Calls without a result, in the order asked. */
export function openCalls(round: Round): Call[] {
  return round.calls.filter((call) => call.state !== 'done')
}
