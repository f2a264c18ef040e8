import { happened, type EventData, type EventType, type Happening, type StoredEvent } from '../../src/contract/event.ts'
import type { RoundLimits } from '../../src/contract/limits.ts'
import { DEFAULT_ROUND_LIMITS } from './limits.ts'
import { NO_USAGE, type AssistantPart, type JsonObject } from '../../src/contract/message.ts'
import type { EffectClass, FinishReason, Mode, Outcome, Protocol } from '../../src/contract/outcome.ts'

/** Writes a log by hand. The event with number n has the id `e<n>` and happens at n × 10 ms. */
export function givenLog(...happenings: readonly Happening[]): StoredEvent[] {
  let requestId: string | null = null
  return happenings.map(({ type, data }, at) => {
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
}

export function roundStarted(more: Started = {}): Happening {
  const { id = 'r1', limits, ...rest } = more
  return happened('round.started', {
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

export const roundEnded = (finishReason: FinishReason = 'complete'): Happening =>
  happened('round.ended', { finishReason, usage: NO_USAGE, cost: 0 })

export const asked = (what: 'cancel' | 'pause' | 'interrupt'): Happening =>
  happened('round.asked', { what, by: 'owner' })
export const waiting = (...callIds: string[]): Happening =>
  happened('round.waiting', { for: 'approval', callIds, until: 5000 })
export const paused = (): Happening => happened('round.paused', { nextPhaseIndex: null })
export const resumed = (reason: 'takeover' | 'resume' | 'decided', n = 0): Happening =>
  happened('round.resumed', { n, turn: 1, reason })

export const userSays = (text: string, more: { redacted?: boolean } = {}): Happening =>
  happened('message.user', { content: [{ type: 'text', text }], ...more })

export const turnStarted = (turn: number, last = false): Happening =>
  happened('turn.started', { turn, model: 'm', last, layerHashes: [] })
export const turnEnded = (turn: number, stopReason: EventData['turn.ended']['stopReason'] = 'end_turn'): Happening =>
  happened('turn.ended', { turn, stopReason, usage: { input: 10, output: 5 }, durationMs: 1 })

export function modelSays(
  turn: number,
  content: readonly AssistantPart[],
  more: Partial<EventData['message.assistant']> = {},
): Happening {
  const uses = content.some((part) => part.type === 'tool_use')
  return happened('message.assistant', {
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

export const called = (callId: string, turn = 1, name = 'look'): Happening =>
  happened('tool.call', { callId, turn, name, args: {}, signature: `sig-${callId}` })
export const requested = (callId: string, more: Partial<EventData['approval.requested']> = {}): Happening =>
  happened('approval.requested', {
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
): Happening =>
  happened('approval.decided', { approvalId: `approval-${callId}`, callId, decision, by: 'owner', ...more })
export const started = (callId: string, effect: EffectClass = 'unsafe'): Happening =>
  happened('tool.started', { callId, idempotencyKey: `key-${callId}`, effect, reserved: 0 })
export const submitted = (callId: string, until = 5000): Happening =>
  happened('tool.submitted', { callId, ref: `ref-${callId}`, until })
export const result = (
  callId: string,
  outcome: Outcome = 'ok',
  more: Partial<EventData['tool.result']> = {},
): Happening =>
  happened('tool.result', {
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
export function turnWithCalls(turn: number, ...callIds: string[]): Happening[] {
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

export const typesOf = (happenings: readonly { readonly type: EventType }[]): EventType[] =>
  happenings.map(({ type }) => type)
