import type { RoundPicture } from '../log/round-picture.ts'
import { duration, FINISHED, money, tokens } from '../parts/format.ts'

/** What a round came to, in one line. */
export function endWords({ finish, begun, steps }: RoundPicture): string[] {
  if (!finish) return []
  const calls = steps.filter(({ kind }) => kind === 'call').length
  return [
    FINISHED[finish.reason],
    ...(begun ? [duration(finish.at - begun.at)] : []),
    money(finish.cost, finish.usage.unpriced),
    ...(calls > 0 ? [`${calls} ${calls === 1 ? 'call' : 'calls'}`] : []),
    tokens(finish.usage),
  ]
}

/** All that a round answered, for the clipboard. */
export function answerOf({ steps }: RoundPicture, deleted: ReadonlySet<string>): string {
  return steps
    .flatMap((step) =>
      step.kind === 'turn' && step.said && step.said.text !== '' && !deleted.has(step.said.eventId)
        ? [step.said.text.trim()]
        : [],
    )
    .join('\n\n')
}

/** It was cancelled while it waited for its turn: nothing was asked of a model. */
export const neverBegan = ({ begun, finish, steps }: RoundPicture): boolean =>
  finish?.unstarted === true ||
  // Older logs hold the message, and words of Segno's own.
  (begun !== undefined &&
    finish?.reason === 'cancelled' &&
    steps.every((step) => step.kind === 'turn' && step.said?.own))

/** What somebody who does not look should hear when a round comes to be like this. */
export function heardOf(round: RoundPicture): string {
  switch (round.state) {
    case 'running':
      return 'Segno is answering.'
    case 'waiting': {
      const asks = round.steps.findLast((step) => step.kind === 'call' && step.approval?.status === 'pending')
      const later = round.steps.findLast(
        (step) => step.kind === 'call' && step.submittedAt !== undefined && !step.result,
      )
      if (later?.kind === 'call') return `Segno waits for the result of ${later.name}.`
      if (asks?.kind !== 'call') return 'Segno waits.'
      return asks.approval?.isQuestion
        ? `${asks.name} asks you something.`
        : `Segno asks for your approval of ${asks.name}.`
    }
    case 'paused':
      return 'The round is paused.'
    case 'ended':
      return round.finish?.reason === 'complete'
        ? 'Answered.'
        : `The round ended${round.finish ? `: ${FINISHED[round.finish.reason]}` : ''}.`
  }
}
