import { draftEvent, type EventData, type EventDraft } from '../contract/event.ts'
import type { ApprovalRequested } from '../contract/call-events.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import type { Input, InputBody, MessageInput, QueuedMessage } from '../contract/input.ts'
import { NO_USAGE, type UserPart } from '../contract/message.ts'
import { changeParams } from '../contract/model-params.ts'
import { findCall, type Call } from './call-state.ts'
import { resultOf, settled } from './close.ts'
import { lostAsk } from './recover.ts'
import type { SessionState } from './session-state.ts'

/** What an input means now; `keep` leaves it in the inbox. */
export type Folded =
  | {
      readonly events: readonly EventDraft[]
      /** the queued message it removed */
      readonly removed?: QueuedMessage
      readonly late?: true
    }
  | 'keep'

const NOTHING: Folded = { events: [] }
/** For a result that comes too late. */
const LATE: Folded = { events: [], late: true }

/** These wait for earlier inputs; all others act at once. */
export const actsInOrder = ({ body: { kind } }: Input): boolean =>
  kind === 'message' || kind === 'clear' || kind === 'delete-message' || kind === 'compact'

/** Folds any input but the start of a round; `queued` has the messages whose rounds have not started. */
export function foldInput(state: SessionState, input: Input, queued: ReadonlyMap<string, QueuedMessage>): Folded {
  const { round } = state
  const { body } = input
  switch (body.kind) {
    case 'message':
      return isTooLate(body, state) ? { events: [unstarted({ ...input, body })] } : 'keep'
    // Asking a model takes time, so these are no events yet.
    case 'compact':
    case 'title':
      return 'keep'
    case 'cancel':
    case 'pause': {
      if (round?.requestId === body.requestId) {
        // A second request for the same pause or cancel changes nothing.
        const isAsked = body.kind === 'cancel' ? round.cancelled : round.pause || round.rest === 'paused'
        return isAsked ? NOTHING : { events: [draftEvent('round.asked', { what: body.kind, by: body.by })] }
      }
      const waiting = queued.get(body.requestId)
      if (!waiting) return NOTHING
      return body.kind === 'cancel' ? { events: [unstarted(waiting)], removed: waiting } : 'keep'
    }
    case 'resume':
      if (round?.requestId !== body.requestId || round.rest !== 'paused') return NOTHING
      return { events: [draftEvent('round.resumed', { n: 0, turn: round.turn + 1, reason: 'resume' })] }
    case 'decision': {
      const asked = round?.calls.flatMap(openApprovals).find(({ approvalId }) => approvalId === body.approvalId)
      // A late decision does not count; the next step expires the approval.
      if (!asked || input.at >= asked.expiresAt) return NOTHING
      const { kind: _, ...decided } = body
      return { events: [draftEvent('approval.decided', { ...decided, callId: asked.callId })] }
    }
    case 'result': {
      const { callId, content, by } = body
      const call = round ? findCall(round, callId) : undefined
      if (call?.state === 'submitted') {
        const durationMs = Math.max(0, input.at - (call.submitted?.at ?? 0))
        const effect = call.effect === 'pure' ? 'none' : content.effect
        return { events: [resultOf(call, { ...content, effect, durationMs, ...settled(call) })] }
      }
      // A result can arrive before `tool.submitted` is stored.
      if (call && call.state !== 'done') return 'keep'
      const signature = state.unknown.get(callId)
      // A result with an unknown effect settles nothing.
      if (signature === undefined || content.effect === 'unknown') return LATE
      return {
        events: [
          draftEvent('tool.reconciled', { callId, signature, happened: content.effect === 'done', by, late: true }),
        ],
      }
    }
    case 'reconcile': {
      const signature = state.unknown.get(body.callId)
      if (signature === undefined) return NOTHING
      const { callId, happened: did, by, note } = body
      const settled = { callId, signature, happened: did, by, ...(note !== undefined && { note }) }
      return { events: [draftEvent('tool.reconciled', settled)] }
    }
    case 'change': {
      const { kind: _, params, ...changes } = body
      const after = params && { params: changeParams(state.params, params) }
      return { events: [draftEvent('session.changed', { ...changes, ...after })] }
    }
    case 'archive':
      return { events: [draftEvent('session.archived', { by: body.by })] }
    case 'clear':
      return round ? 'keep' : { events: [draftEvent('context.cleared', { by: body.by })] }
    case 'delete':
      // Nobody opens a deleted session again to settle what it asked for.
      return round ? 'keep' : { events: [...lostAsk(state.asking), draftEvent('session.deleted', { by: body.by })] }
    case 'delete-message':
      return round ? 'keep' : { events: [draftEvent('message.deleted', deletion(body))] }
  }
}

function deletion({ eventId, seq, by }: Extract<InputBody, { kind: 'delete-message' }>): EventData['message.deleted'] {
  return { target: eventId, by, ...(seq !== undefined && { seq }) }
}

/** Another round came between a round and the one that was to continue it. */
const isTooLate = ({ continues }: MessageInput, { round, limited }: SessionState): boolean =>
  continues !== undefined && (round !== null || limited?.requestId !== continues)

/** The end of a round that never started, whose message is in no log. */
function unstarted({ at: queuedAt, body: { requestId, protocol, mode, model } }: QueuedMessage): EventDraft {
  const data = { finishReason: 'cancelled' as const, usage: NO_USAGE, cost: 0 }
  return { type: 'round.ended', data: { ...data, unstarted: { protocol, mode, model, queuedAt } }, requestId }
}

/** The open approval and question of a call. */
function openApprovals({ approval, question, state }: Call): ApprovalRequested[] {
  return [...(approval && state === 'waiting' ? [approval] : []), ...(question ? [question] : [])]
}

/** An interrupting message or the deletion of the session cancels the running round. */
export function interruption(state: SessionState, waiting: readonly Input[]): EventDraft[] {
  if (!state.round || state.round.cancelled) return []
  for (const { body } of waiting) {
    if (body.kind === 'message' && body.interrupt)
      return [draftEvent('round.asked', { what: 'interrupt', by: body.actor.id })]
    if (body.kind === 'delete') return [draftEvent('round.asked', { what: 'cancel', by: body.by })]
  }
  return []
}

/** Where a draft of a prompt is tried, nothing may change things. */
export function startOfRound(message: MessageInput, { promptId }: Pick<SessionState, 'promptId'>): EventDraft[] {
  const { kind: _, content, interrupt: __, permissions, ...started } = message
  const mode = promptId === null ? started.mode : 'plan'
  const start: RoundStarted = { ...started, mode, permissions: [...permissions] }
  const parts: UserPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  const own = started.continues === undefined ? {} : { own: true as const }
  return [draftEvent('round.started', start), draftEvent('message.user', { content: parts, ...own })]
}
