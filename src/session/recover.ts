import { happened, type Happening } from '../contract/event.ts'
import { close, staleQuestion, unknownResult } from './close.ts'
import { openCalls } from './call-state.ts'
import type { Round } from './round-state.ts'

/** Takeovers without progress after which a round is given up: it may be what kills the process. */
export const MAX_TAKEOVERS = 3

/** A new owner does not try this round again. */
export const isHopeless = (round: Round): boolean => round.takeovers >= MAX_TAKEOVERS

/** One more takeover without progress is its last: it runs with no other such round beside it, so that it is known whose fault that was. */
export const isSuspect = (round: Round): boolean => round.takeovers >= MAX_TAKEOVERS - 1

/**
 * What a new owner appends first to a round it finds running, when it can go on with it: that it does, or why it gives
 * up. A resting round needs nothing.
 */
export function takeOver(round: Round | null): Happening[] {
  if (!round || round.rest !== null) return []
  if (isHopeless(round)) {
    return close(round, 'error', {
      text: 'This answer could not be finished: Segno stopped each time it tried.',
      error: `gave up after ${MAX_TAKEOVERS} takeovers without progress`,
    })
  }
  const turn = round.openTurn?.turn ?? round.turn + 1
  return [
    happened('round.resumed', {
      n: round.takeovers + 1,
      turn,
      reason: 'takeover',
      ...(round.openTurn?.each && { reserved: round.openTurn.each }),
    }),
  ]
}

/**
 * What it appends next, after what came from outside: calls that were started and may not run again are answered, and
 * nobody is asked any more what no call waits for. Everything else is left to the ordinary next step.
 */
export function answerLost(round: Round | null): Happening[] {
  if (!round || round.rest !== null) return []
  const calls = openCalls(round)
  const lost = calls.filter((call) => call.state === 'started' && call.effect === 'unsafe')
  return [...calls.flatMap(staleQuestion), ...lost.map(unknownResult)]
}
