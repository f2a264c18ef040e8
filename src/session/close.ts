import { happened, type ApprovalRequested, type Happening, type ToolResult } from '../contract/event.ts'
import { NO_USAGE, type Usage } from '../contract/message.ts'
import type { FinishReason } from '../contract/outcome.ts'
import { endOf } from './phases.ts'
import { openCalls, type Call } from './call-state.ts'
import type { OpenTurn, Round } from './round-state.ts'

/** What a model call used that nobody saw the end of: all that was set aside for it. */
function lost({ reserved }: OpenTurn): { usage: Usage; cost?: number } {
  if (!reserved) return { usage: { ...NO_USAGE, estimated: true } }
  return { usage: { ...NO_USAGE, input: reserved.tokens, estimated: true }, cost: reserved.cost }
}

/**
 * Ends a round wherever it is: every call gets its result (unknown if it was started and might have had an effect),
 * what is open is ended, and nothing is started. Used to cancel, to give up and to fork.
 */
export function close(
  round: Round | null,
  finishReason: FinishReason,
  more: { text?: string; error?: string } = {},
): Happening[] {
  if (!round) return []
  const events = openCalls(round).flatMap((call) => closeCall(call))
  const { openTurn } = round
  if (openTurn)
    events.push(
      happened('turn.ended', { turn: openTurn.turn, stopReason: 'cancelled', durationMs: 0, ...lost(openTurn) }),
    )
  events.push(...endOf(round, 'closed'))
  if (more.text && !round.answer) {
    events.push(
      happened('message.assistant', {
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

export function roundEnded(round: Round, finishReason: FinishReason, error?: string): Happening {
  return happened('round.ended', {
    finishReason,
    usage: round.usage,
    cost: round.cost,
    ...(error !== undefined && { error }),
    ...(round.ignoredCalls > 0 && { ignoredCalls: round.ignoredCalls }),
  })
}

function closeCall(call: Call): Happening[] {
  const events: Happening[] = []
  if (call.state === 'used') events.push(recorded(call, ''))
  if (call.state === 'waiting' && call.approval) events.push(stale(call.approval, 'the round ended first'))
  events.push(...staleQuestion(call))
  const mayHaveHappened = hasBegun(call) && call.effect !== 'pure'
  events.push(mayHaveHappened ? unknownResult(call) : cancelledResult(call))
  return events
}

const hasBegun = ({ state }: Call): boolean => state === 'started' || state === 'submitted'

/** What a call asked while it ran dies with it. */
export function staleQuestion({ question }: Call): Happening[] {
  return question ? [stale(question, 'the call that asked is over')] : []
}

function stale({ approvalId, callId }: ApprovalRequested, reason: string): Happening {
  return happened('approval.decided', { approvalId, callId, decision: 'stale', by: 'system', reason })
}

/** A use becomes a call: from here on it has a signature and, through its event, a key of its own. */
export function recorded({ callId, turn, name, args, raw }: Call, signature: string): Happening {
  return happened('tool.call', { callId, turn, name, args, ...(raw !== undefined && { raw }), signature })
}

/** A call nobody saw the end of has used all that was set aside for it. */
export function settled({ reserved, reservedTokens }: Call): { cost: number; tokens?: number } {
  return { cost: reserved, ...(reservedTokens > 0 && { tokens: reservedTokens }) }
}

/** How a call ends in the log: without an effect and at no cost, unless more is said. */
export function resultOf(
  { callId, name, signature }: Call,
  more: Pick<ToolResult, 'outcome' | 'content'> & Partial<ToolResult>,
): Happening {
  return happened('tool.result', { callId, name, signature, effect: 'none', durationMs: 0, cost: 0, ...more })
}

function cancelledResult(call: Call): Happening {
  const content = 'Cancelled: this call was not carried out.'
  // It was started, and may have used what it costs; a call that only reads has no other effect.
  return resultOf(call, { outcome: 'cancelled', content, ...(hasBegun(call) && settled(call)), own: true })
}

export function unknownResult(call: Call): Happening {
  const how = call.submitted ? 'handed over and the round ended' : 'started and Segno stopped'
  const content = `Unknown: this call was ${how} before its result came. ${IN_DOUBT}`
  return resultOf(call, { outcome: 'unknown', effect: 'unknown', content, ...settled(call) })
}

const IN_DOUBT = 'It may or may not have happened. Tell the user; do not repeat it. A person can look and settle it.'

/** The result of a call that answers later did not come in time. */
export function overdueResult(call: Call): Happening {
  const { at, until } = call.submitted ?? { at: 0, until: 0 }
  const late = 'Timed out: this call was handed over and its result did not come in time.'
  const more = { outcome: 'timeout', durationMs: until - at, own: true, ...settled(call) } as const
  if (call.effect === 'pure') return resultOf(call, { ...more, content: late })
  return resultOf(call, { ...more, effect: 'unknown', content: `${late} ${IN_DOUBT}` })
}
