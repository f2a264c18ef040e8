import { isCountLimit } from '../../../src/contract/outcome.ts'
import type { CallStep, RoundPicture } from '../log/round-picture.ts'
import { duration, FINISHED, money, tokens } from '../parts/format.ts'
import { laterName } from './call-words.ts'

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

/** Whether it was cancelled in the queue, before any model call. */
export const neverBegan = ({ begun, finish, steps }: RoundPicture): boolean =>
  finish?.unstarted !== undefined ||
  // Older logs hold the message and a text of Segno's own.
  (begun !== undefined &&
    finish?.reason === 'cancelled' &&
    steps.every((step) => step.kind === 'turn' && step.said?.own))

/** The key that goes to what waits for a decision, also while something is typed. No browser uses it. */
export const ASK_KEY = 'F2'

/** The calls of a round that wait for a person. */
export const asksIn = ({ state, steps }: RoundPicture): CallStep[] =>
  steps.flatMap((step) =>
    state !== 'ended' && step.kind === 'call' && step.approval?.status === 'pending' ? [step] : [],
  )

/** The calls of a round whose results come later. */
export const latersIn = ({ state, steps }: RoundPicture): CallStep[] =>
  steps.flatMap((step) => (state !== 'ended' && step.kind === 'call' && step.submitted && !step.result ? [step] : []))

/** What a screen reader says when a round gets into this state. */
export function announcementOf(round: RoundPicture): string {
  const asks = asksIn(round)
  const [first] = asks
  if (first) {
    const goes = `${ASK_KEY} goes there.`
    if (asks.length > 1) return `${asks.length} calls wait for you. ${goes}`
    return first.approval?.isQuestion
      ? `${first.name} asks you something. ${goes}`
      : `Segno asks for your approval of ${first.name}. ${goes}`
  }
  switch (round.state) {
    case 'running':
      return 'Segno is answering.'
    case 'waiting': {
      const later = latersIn(round).at(-1)
      return later ? `Segno waits for ${laterName(later)}.` : 'Segno waits.'
    }
    case 'paused':
      return 'The round is paused.'
    case 'ended':
      if (round.finish?.reason === 'complete') return 'Answered.'
      return `The round ended${round.finish ? `: ${FINISHED[round.finish.reason]}` : ''}.${isCountLimit(round.finish?.reason) ? ' You can continue it.' : ''}`
  }
}
