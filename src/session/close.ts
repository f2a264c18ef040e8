import { WORKFLOW_TIMED_OUT } from '../contract/invocation.ts'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import type { ApprovalRequested, ToolResult } from '../contract/call-events.ts'
import { NO_USAGE, type Usage } from '../contract/message.ts'
import type { FinishReason } from '../contract/outcome.ts'
import { endOf } from './phases.ts'
import { openCalls, type Call } from './call-state.ts'
import type { OpenTurn, Round } from './round-state.ts'

/** A model call whose end nobody saw counts as having used all that was reserved. */
function lost({ reserved }: OpenTurn): { usage: Usage; cost?: number } {
  if (!reserved) return { usage: { ...NO_USAGE, estimated: true } }
  return { usage: { ...NO_USAGE, input: reserved.tokens, estimated: true }, cost: reserved.cost }
}

/**
 * Ends a round wherever it is, to cancel, give up or fork: every call gets a result, `unknown` if it may have had an
 * effect.
 */
export function close(
  round: Round | null,
  finishReason: FinishReason,
  more: { text?: string; error?: string } = {},
): EventDraft[] {
  if (!round) return []
  const events = openCalls(round).flatMap((call) => closeCall(call))
  const { openTurn } = round
  if (openTurn)
    events.push(
      draftEvent('turn.ended', { turn: openTurn.turn, stopReason: 'cancelled', durationMs: 0, ...lost(openTurn) }),
    )
  events.push(...endOf(round, 'closed'))
  if (more.text && !round.answer) {
    events.push(
      draftEvent('message.assistant', {
        turn: round.turn,
        content: [{ type: 'text', text: more.text }],
        stopReason: 'end_turn',
        usage: NO_USAGE,
        final: true,
        own: true,
      }),
    )
  }
  events.push(roundEnded(round, finishReason, more.error))
  return events
}

export function roundEnded(round: Round, finishReason: FinishReason, error?: string): EventDraft {
  return draftEvent('round.ended', {
    finishReason,
    usage: round.usage,
    cost: round.cost,
    ...(error !== undefined && { error }),
    ...(round.ignoredCalls > 0 && { ignoredCalls: round.ignoredCalls }),
  })
}

function closeCall(call: Call): EventDraft[] {
  const events: EventDraft[] = []
  if (call.state === 'used') events.push(recorded(call, ''))
  if (call.state === 'waiting' && call.approval) events.push(stale(call.approval, 'the round ended first'))
  events.push(...staleQuestion(call))
  const mayHaveHappened = hasBegun(call) && call.effect !== 'pure'
  events.push(mayHaveHappened ? unknownResult(call) : cancelledResult(call))
  return events
}

const hasBegun = ({ state }: Call): boolean => state === 'started' || state === 'submitted'

export function staleQuestion({ question }: Call): EventDraft[] {
  return question ? [stale(question, 'the call that asked is over')] : []
}

function stale({ approvalId, callId }: ApprovalRequested, reason: string): EventDraft {
  return draftEvent('approval.decided', { approvalId, callId, decision: 'stale', by: 'system', reason })
}

/** From here on the call has a signature and, through its event, its idempotency key. */
export function recorded({ callId, turn, name, args, raw }: Call, signature: string): EventDraft {
  return draftEvent('tool.call', { callId, turn, name, args, ...(raw !== undefined && { raw }), signature })
}

/** A call whose end nobody saw has used all that was reserved. */
export function settled({ reserved, reservedTokens }: Call): { cost: number; tokens?: number } {
  return { cost: reserved, ...(reservedTokens > 0 && { tokens: reservedTokens }) }
}

/** A result without effect and cost, unless `more` says otherwise. */
export function resultOf(
  { callId, name, signature }: Call,
  more: Pick<ToolResult, 'outcome' | 'content'> & Partial<ToolResult>,
): EventDraft {
  return draftEvent('tool.result', { callId, name, signature, effect: 'none', durationMs: 0, cost: 0, ...more })
}

function cancelledResult(call: Call): EventDraft {
  const content = 'Cancelled: this call was not carried out.'
  // It may have used what it costs, though a call that only reads has no other effect.
  return resultOf(call, { outcome: 'cancelled', content, ...(hasBegun(call) && settled(call)), own: true })
}

export function unknownResult(call: Call): EventDraft {
  const how = call.submitted ? 'handed over and the round ended' : 'started and Segno stopped'
  const content = `Unknown: this call was ${how} before its result came. ${IN_DOUBT}`
  return resultOf(call, { outcome: 'unknown', effect: 'unknown', content, ...settled(call) })
}

const IN_DOUBT = 'It may or may not have happened. Tell the user; do not repeat it. A person can look and settle it.'

const OVERDUE = 'Timed out: this call was handed over and its result did not come in time.'

/** For a submitted call whose result did not come in time. */
export function overdueResult(call: Call): EventDraft {
  const { at, until, kind } = call.submitted ?? { at: 0, until: 0, kind: 'result' }
  const late = kind === 'workflow' ? WORKFLOW_TIMED_OUT : OVERDUE
  const more = { outcome: 'timeout', durationMs: until - at, own: true, ...settled(call) } as const
  if (call.effect === 'pure') return resultOf(call, { ...more, content: late })
  return resultOf(call, { ...more, effect: 'unknown', content: `${late} ${IN_DOUBT}` })
}
