import type { Actor } from '../../contract/actor.ts'
import type { Channel, ChannelMessage, OrchestratorEvent } from '../../contract/channel.ts'
import type { StoredEvent } from '../../contract/event.ts'
import { textOf } from '../../contract/message.ts'
import { Problem, invalidField, type ProblemCode } from '../../contract/problem.ts'
import type { Completion } from '../../contract/turn.ts'
import type { SessionView, ShownApproval } from '../../contract/views.ts'
import { keyOf } from '../../lib/key-of.ts'
import { delay } from '../../lib/delay.ts'
import { pictureRound } from '../../stream/index.ts'
import type { Rounds, Sessions } from '../../round/index.ts'
import type { Following } from './stream-request.ts'

export interface Handling {
  readonly sessions: Sessions
  readonly rounds: Rounds
  readonly following: Following
  approval(id: string): Promise<ShownApproval | undefined>
  emit(event: OrchestratorEvent): void
}

/** Handles one message of a channel; without a session the channel's user gets their own. */
export async function handleMessage(
  handling: Handling,
  actor: Actor,
  message: ChannelMessage,
  channel: Channel,
  session?: { readonly id: string },
): Promise<Completion> {
  checkDelivery(message)
  const { rounds, following, emit } = handling
  const sessionId = session?.id ?? (await sessionFor(handling.sessions, actor, channel, message)).id
  const { requestId } = await rounds.send(actor, sessionId, message.content, {
    messageId: keyOf(channel.name, message.userId, message.id),
    channel: channel.name,
    attended: channel.requestApproval !== undefined,
  })
  const say = (type: OrchestratorEvent['type'], data: unknown): void =>
    emit({ type, timestamp: new Date(), requestId, data })
  say('message_start', { sessionId, channel: channel.name })
  const picture = pictureRound(sessionId, requestId)
  const started = new Set<string>()
  const shown = new Map<number, number>()
  for await (const frame of following.round(sessionId, requestId)) {
    picture.see(frame)
    if (frame.kind === 'event') onEvent(frame.event)
    else if (frame.kind === 'pulse') {
      const { pulse } = frame
      if (pulse.type === 'reset') shown.delete(pulse.turn)
      else if (pulse.kind === 'text') {
        const before = shown.get(pulse.turn) ?? 0
        const added = pulse.text.slice(Math.max(0, before - pulse.offset))
        if (added !== '') channel.streamDelta(added)
        shown.set(pulse.turn, Math.max(before, pulse.offset + pulse.text.length))
      } else if (pulse.kind === 'args' && pulse.callId !== undefined && !started.has(pulse.callId)) {
        started.add(pulse.callId)
        channel.onToolCallStart?.(pulse.name ?? '')
      }
    }
  }
  channel.streamComplete()
  const completion = picture.completion()
  if (completion.finishReason === 'error') say('error', { error: completion.error ?? 'the round ended with an error' })
  else
    say('message_complete', { finishReason: completion.finishReason, usage: completion.usage, cost: completion.cost })
  return completion

  function onEvent(event: StoredEvent): void {
    switch (event.type) {
      case 'message.assistant': {
        // Text that did not come as deltas.
        const text = textOf(event.data.content)
        const rest = event.data.own ? text : text.slice(shown.get(event.data.turn) ?? 0)
        if (rest !== '') channel.streamDelta(rest)
        return
      }
      case 'turn.retried':
        if (event.data.shown) shown.delete(event.data.turn)
        return
      case 'round.resumed':
        shown.delete(event.data.turn)
        return
      case 'tool.call':
        if (!started.has(event.data.callId)) channel.onToolCallStart?.(event.data.name)
        started.add(event.data.callId)
        say('tool_call', { callId: event.data.callId, name: event.data.name })
        return
      case 'tool.result':
        channel.onToolCallResult?.(event.data.name, event.data.outcome === 'ok')
        say('tool_result', { callId: event.data.callId, name: event.data.name, outcome: event.data.outcome })
        return
      case 'approval.requested':
        askChannel(event.data.approvalId).catch(() => {})
        return
      default:
        return
    }
  }

  async function askChannel(approvalId: string): Promise<void> {
    const approval = await handling.approval(approvalId)
    if (!approval || approval.status !== 'pending') return
    // A channel that fails to ask has not approved.
    const answer = await Promise.try(() => channel.requestApproval?.(approval)).catch(() => false)
    await keepDeciding(rounds, actor, approvalId, answer === true ? 'approve' : 'deny')
  }
}

const LATER = new Set<ProblemCode>(['STORE_UNAVAILABLE', 'RATE_LIMITED'])

/** Retries until the person's answer is stored. */
async function keepDeciding(rounds: Rounds, actor: Actor, id: string, decision: 'approve' | 'deny'): Promise<void> {
  for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await rounds.decide(actor, id, { decision })
    } catch (error) {
      if (!(error instanceof Problem) || !LATER.has(error.code)) throw error
      await delay(wait)
    }
  }
}

function checkDelivery(message: ChannelMessage): void {
  for (const field of ['id', 'userId'] as const) {
    if (typeof message[field] === 'string' && message[field] !== '') continue
    throw invalidField(field, 'must be text that is not empty')
  }
}

async function sessionFor(
  sessions: Sessions,
  actor: Actor,
  channel: Channel,
  message: ChannelMessage,
): Promise<SessionView> {
  const alias = keyOf(channel.name, message.userId)
  const known = await sessions.byAlias(actor, alias)
  if (known) return known
  try {
    return await sessions.create(actor, { alias, title: alias })
  } catch (error) {
    // Two first messages at once: one of them made the session.
    const made = await sessions.byAlias(actor, alias)
    if (made) return made
    throw error
  }
}
