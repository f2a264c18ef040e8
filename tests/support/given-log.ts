import {
  draftEvent,
  type EventData,
  type EventType,
  type EventDraft,
  type StoredEvent,
} from '../../src/contract/event.ts'
import type { RoundOrigin } from '../../src/contract/round-started.ts'
import type { RoundLimits } from '../../src/contract/limits.ts'
import { DEFAULT_ROUND_LIMITS } from './limits.ts'
import { NO_USAGE, type AssistantPart, type JsonObject } from '../../src/contract/message.ts'
import type { EffectClass, FinishReason, Mode, Outcome, Protocol } from '../../src/contract/outcome.ts'

/** Writes a log by hand. The event with number n has the id `e<n>` and happens at n × 10 ms. */
export function givenLog(...drafts: readonly EventDraft[]): StoredEvent[] {
  let requestId: string | null = null
  return drafts.map(({ type, data }, at) => {
    if (type === 'round.started') requestId = data.requestId
    const seq = at + 1
    const event = { id: `e${seq}`, sessionId: 's', seq, type, v: 1, at: seq * 10, requestId, data } as StoredEvent
    if (type === 'round.ended') requestId = null
    return event
  })
}

interface Started {
  readonly protocol?: Protocol
  readonly mode?: Mode
  readonly toolResultsAs?: 'system' | 'tool'
  readonly attended?: boolean
  readonly limits?: Partial<RoundLimits>
  readonly id?: string
  readonly continues?: string
  readonly origin?: RoundOrigin
}

export function roundStarted(more: Started = {}): EventDraft {
  const { id = 'r1', limits, ...rest } = more
  return draftEvent('round.started', {
    requestId: id,
    actor: { id: 'owner', tenant: 'local' },
    permissions: ['*'],
    protocol: 'unified',
    mode: 'act',
    model: 'm',
    toolResultsAs: 'system',
    attended: true,
    limits: { ...DEFAULT_ROUND_LIMITS, ...limits },
    ...rest,
  })
}

export const roundEnded = (finishReason: FinishReason = 'complete'): EventDraft =>
  draftEvent('round.ended', { finishReason, usage: NO_USAGE, cost: 0 })

export const asked = (what: 'cancel' | 'pause' | 'interrupt'): EventDraft =>
  draftEvent('round.asked', { what, by: 'owner' })
export const waiting = (...callIds: string[]): EventDraft =>
  draftEvent('round.waiting', { for: 'approval', callIds, until: 5000 })
export const paused = (): EventDraft => draftEvent('round.paused', { nextPhaseIndex: null })
export const resumed = (reason: 'takeover' | 'resume' | 'decided', n = 0): EventDraft =>
  draftEvent('round.resumed', { n, turn: 1, reason })

export const userSays = (text: string, more: { redacted?: boolean } = {}): EventDraft =>
  draftEvent('message.user', { content: [{ type: 'text', text }], ...more })

export const turnStarted = (turn: number, last = false): EventDraft =>
  draftEvent('turn.started', { turn, model: 'm', last, layerHashes: [] })
export const turnEnded = (turn: number, stopReason: EventData['turn.ended']['stopReason'] = 'end_turn'): EventDraft =>
  draftEvent('turn.ended', { turn, stopReason, usage: { input: 10, output: 5 }, durationMs: 1 })

export function modelSays(
  turn: number,
  content: readonly AssistantPart[],
  more: Partial<EventData['message.assistant']> = {},
): EventDraft {
  const uses = content.some((part) => part.type === 'tool_use')
  return draftEvent('message.assistant', {
    turn,
    content: [...content],
    stopReason: uses ? 'tool_use' : 'end_turn',
    usage: NO_USAGE,
    final: !uses,
    ...more,
  })
}

export const text = (words: string): AssistantPart => ({ type: 'text', text: words })
export const use = (id: string, name = 'look', input: JsonObject = {}): AssistantPart => ({
  type: 'tool_use',
  id,
  name,
  input,
})

export const called = (callId: string, turn = 1, name = 'look'): EventDraft =>
  draftEvent('tool.call', { callId, turn, name, args: {}, signature: `sig-${callId}` })
export const requested = (callId: string, more: Partial<EventData['approval.requested']> = {}): EventDraft =>
  draftEvent('approval.requested', {
    approvalId: `approval-${callId}`,
    callId,
    tool: 'look',
    args: {},
    argsHash: 'args',
    definitionHash: 'definition',
    target: 'target',
    reason: 'look needs approval',
    rememberable: true,
    expiresAt: 5000,
    ...more,
  })
export const decided = (
  callId: string,
  decision: EventData['approval.decided']['decision'],
  more: Partial<EventData['approval.decided']> = {},
): EventDraft =>
  draftEvent('approval.decided', { approvalId: `approval-${callId}`, callId, decision, by: 'owner', ...more })
export const started = (callId: string, effect: EffectClass = 'unsafe'): EventDraft =>
  draftEvent('tool.started', { callId, idempotencyKey: `key-${callId}`, effect, reserved: 0 })
export const submitted = (
  callId: string,
  until = 5000,
  more: Pick<EventData['tool.submitted'], 'kind'> = {},
): EventDraft => draftEvent('tool.submitted', { callId, ref: `ref-${callId}`, until, ...more })
export const result = (
  callId: string,
  outcome: Outcome = 'ok',
  more: Partial<EventData['tool.result']> = {},
): EventDraft =>
  draftEvent('tool.result', {
    callId,
    name: 'look',
    signature: `sig-${callId}`,
    outcome,
    effect: 'none',
    content: `result of ${callId}`,
    durationMs: 1,
    cost: 0,
    ...more,
  })

/** A turn in which the model asks for these calls, up to its end; the calls are recorded too. */
export function turnWithCalls(turn: number, ...callIds: string[]): EventDraft[] {
  return [
    turnStarted(turn),
    modelSays(
      turn,
      callIds.map((id) => use(id)),
    ),
    turnEnded(turn, 'tool_use'),
    ...callIds.map((id) => called(id, turn)),
  ]
}

export const typesOf = (drafts: readonly { readonly type: EventType }[]): EventType[] => drafts.map(({ type }) => type)
