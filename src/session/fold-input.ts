import { happened, type ApprovalRequested, type Happening, type RoundStarted } from '../contract/event.ts'
import type { Input, MessageInput, QueuedMessage } from '../contract/input.ts'
import { NO_USAGE, type UserPart } from '../contract/message.ts'
import { findCall, type Call } from './call-state.ts'
import { resultOf, settled } from './close.ts'
import type { SessionState } from './session-state.ts'

/** What an input from outside means now. `keep`: not yet, look again later. */
export type Folded =
  | {
      readonly events: readonly Happening[]
      /** a message that waits no more */
      readonly instead?: QueuedMessage
      readonly late?: true
    }
  | 'keep'

const NOTHING: Folded = { events: [] }
/** A result that nobody waits for any more. */
const LATE: Folded = { events: [], late: true }

/** These wait for those that were stored before them; everything else acts at once. */
export const actsInOrder = ({ body: { kind } }: Input): boolean =>
  kind === 'message' || kind === 'clear' || kind === 'delete-message'

/**
 * Everything from outside but the start of a round; see `startOfRound`. `queued` has the messages of rounds that have
 * yet to start.
 */
export function foldInput(state: SessionState, input: Input, queued: ReadonlyMap<string, QueuedMessage>): Folded {
  const { round } = state
  const { body } = input
  switch (body.kind) {
    case 'message':
      return 'keep'
    case 'cancel':
    case 'pause': {
      if (round?.requestId === body.requestId) {
        // Who asks again for a pause that is coming, or already there, has asked once.
        const isAsked = body.kind === 'cancel' ? round.cancelled : round.pause || round.rest === 'paused'
        return isAsked ? NOTHING : { events: [happened('round.asked', { what: body.kind, by: body.by })] }
      }
      const waiting = queued.get(body.requestId)
      if (!waiting) return NOTHING
      return body.kind === 'cancel' ? { events: [unstarted(waiting)], instead: waiting } : 'keep'
    }
    case 'resume':
      if (round?.requestId !== body.requestId || round.rest !== 'paused') return NOTHING
      return { events: [happened('round.resumed', { n: 0, turn: round.turn + 1, reason: 'resume' })] }
    case 'decision': {
      const asked = round?.calls.flatMap(openAsks).find(({ approvalId }) => approvalId === body.approvalId)
      // Who decides too late has decided nothing: the next step says that it expired.
      if (!asked || input.at >= asked.expiresAt) return NOTHING
      const { kind: _, ...decided } = body
      return { events: [happened('approval.decided', { ...decided, callId: asked.callId })] }
    }
    case 'result': {
      const { callId, content, by } = body
      const call = round ? findCall(round, callId) : undefined
      if (call?.state === 'submitted') {
        const durationMs = Math.max(0, input.at - (call.submitted?.at ?? 0))
        const effect = call.effect === 'pure' ? 'none' : content.effect
        return { events: [resultOf(call, { ...content, effect, durationMs, ...settled(call) })] }
      }
      // Who was handed the work can be faster than the log.
      if (call && call.state !== 'done') return 'keep'
      const signature = state.unknown.get(callId)
      // Who cannot say either whether it happened settles nothing.
      if (signature === undefined || content.effect === 'unknown') return LATE
      return { events: [happened('tool.reconciled', { callId, signature, happened: content.effect === 'done', by })] }
    }
    case 'reconcile': {
      const signature = state.unknown.get(body.callId)
      if (signature === undefined) return NOTHING
      const { callId, happened: did, by, note } = body
      const settled = { callId, signature, happened: did, by, ...(note !== undefined && { note }) }
      return { events: [happened('tool.reconciled', settled)] }
    }
    case 'change': {
      const { kind: _, ...changes } = body
      return { events: [happened('session.changed', changes)] }
    }
    case 'archive':
      return { events: [happened('session.archived', { by: body.by })] }
    case 'clear':
      return round ? 'keep' : { events: [happened('context.cleared', { by: body.by })] }
    case 'delete':
      return round ? 'keep' : { events: [happened('session.deleted', { by: body.by })] }
    case 'delete-message':
      return round ? 'keep' : { events: [happened('message.deleted', { target: body.eventId, by: body.by })] }
  }
}

/** The end of a round that never started: its message is in no log, and never will be. */
function unstarted({ at: queuedAt, body: { requestId, protocol, mode, model } }: QueuedMessage): Happening {
  const data = { finishReason: 'cancelled' as const, usage: NO_USAGE, cost: 0 }
  return { type: 'round.ended', data: { ...data, unstarted: { protocol, mode, model, queuedAt } }, requestId }
}

/** What a call waits for somebody to decide: before it starts, or while it runs. */
function openAsks({ approval, question, state }: Call): ApprovalRequested[] {
  return [...(approval && state === 'waiting' ? [approval] : []), ...(question ? [question] : [])]
}

/** A message that does not wait its turn ends what is running, and so does the deletion of the session. */
export function interruption(state: SessionState, waiting: readonly Input[]): Happening[] {
  if (!state.round || state.round.cancelled) return []
  for (const { body } of waiting) {
    if (body.kind === 'message' && body.interrupt)
      return [happened('round.asked', { what: 'interrupt', by: body.actor.id })]
    if (body.kind === 'delete') return [happened('round.asked', { what: 'cancel', by: body.by })]
  }
  return []
}

export function startOfRound(message: MessageInput): Happening[] {
  const { kind: _, content, interrupt: __, permissions, ...started } = message
  const start: RoundStarted = { ...started, permissions: [...permissions] }
  const parts: UserPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  return [happened('round.started', start), happened('message.user', { content: parts })]
}
