import { happened, type Happening } from '../contract/event.ts'
import { close, staleQuestion, unknownResult } from './close.ts'
import { openCalls } from './call-state.ts'
import type { Round } from './round-state.ts'

/** Takeovers without progress after which a round is given up: it may be what kills the process. */
export const MAX_TAKEOVERS = 3

/**
 * What a new owner appends to a round it finds running. Only calls that were started and may not run again are
 * answered; everything else is left to the ordinary next step. A resting round needs nothing.
 */
export function recover(round: Round | null): Happening[] {
  if (!round || round.rest !== null) return []
  if (round.takeovers >= MAX_TAKEOVERS) {
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
    ...openCalls(round).flatMap(staleQuestion),
    ...openCalls(round)
      .filter((call) => call.state === 'started' && call.effect === 'unsafe')
      .map((call) => happened('tool.result', unknownResult(call))),
  ]
}
