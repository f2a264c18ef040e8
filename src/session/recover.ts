import { draftEvent, type EventData, type EventDraft } from '../contract/event.ts'
import { NO_USAGE } from '../contract/message.ts'
import { close, staleQuestion, unknownResult } from './close.ts'
import { openCalls } from './call-state.ts'
import type { Round } from './round-state.ts'

/** Takeovers without progress before a round is given up, because it may be what kills the process. */
export const MAX_TAKEOVERS = 3

export const isHopeless = (round: Round): boolean => round.takeovers >= MAX_TAKEOVERS

/** The next takeover without progress is its last, so it runs with no other suspect beside it. */
export const isSuspect = (round: Round): boolean => round.takeovers >= MAX_TAKEOVERS - 1

/**
 * What a new owner appends first to a running round: that it goes on, or that it gives up. `evictedAt` is the head when
 * an owner was evicted.
 */
export function takeOver(round: Round | null, evictedAt = 0): EventDraft[] {
  if (!round || round.rest !== null) return []
  if (isHopeless(round)) {
    return close(round, 'error', {
      text: 'This answer could not be finished: Segno stopped each time it tried.',
      error: `gave up after ${MAX_TAKEOVERS} takeovers without progress`,
    })
  }
  const turn = round.openTurn?.turn ?? round.turn + 1
  return [
    draftEvent('round.resumed', {
      n: round.takeovers + 1,
      turn,
      reason: 'takeover',
      ...(round.openTurn?.each && { reserved: round.openTurn.each }),
      // An earlier takeover already recorded older evictions.
      ...(evictedAt >= round.ownedSince && { evicted: true as const }),
    }),
  ]
}

/**
 * What it appends after the inputs: results of started calls that may not run again, and the end of their questions.
 */
export function answerLost(round: Round | null): EventDraft[] {
  if (!round || round.rest !== null) return []
  const calls = openCalls(round)
  const lost = calls.filter((call) => call.state === 'started' && call.effect === 'unsafe')
  return [...calls.flatMap(staleQuestion), ...lost.map(unknownResult)]
}

/** An ask that died with its process counts as having used all that was reserved. */
export function lostAsk(asking: EventData['model.asked'] | null): EventDraft[] {
  if (!asking) return []
  const { askId, purpose, reserved } = asking
  const usage = { ...NO_USAGE, ...(reserved && { input: reserved.tokens }), estimated: true }
  const cost = reserved ? { cost: reserved.cost } : {}
  return [
    draftEvent('model.answered', { askId, purpose, usage, ...cost, durationMs: 0, failed: 'Segno stopped meanwhile.' }),
  ]
}
