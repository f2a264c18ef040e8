import * as fc from 'fast-check'
import { draftEvent, type EventDraft } from '../../src/contract/event.ts'
import { givenLog, modelSays, result, roundEnded, roundStarted, text, use, userSays } from '../support/given-log.ts'

/**
 * Logs the product does not write (or not yet): summaries, redacted messages, results before their assistant message,
 * deletions of anything at any time. They are fed to the fold.
 */
const oldRound = fc.record({
  redactedUser: fc.boolean(),
  redactedAnswer: fc.boolean(),
  uses: fc.nat(3),
  order: fc.constantFrom('as today', 'results first', 'results around', 'result missing'),
  words: fc.constantFrom('', ' ', 'well'),
  answer: fc.constantFrom('', 'done'),
  ended: fc.boolean(),
})
type OldRound = typeof oldRound extends fc.Arbitrary<infer R> ? R : never

const aside = fc.oneof(
  fc.record({ kind: fc.constant('summary' as const), at: fc.nat(1000) }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(1000) }),
  fc.record({ kind: fc.constant('clear' as const), at: fc.nat(3) }),
)
type Aside = typeof aside extends fc.Arbitrary<infer A> ? A : never

function written(round: OldRound, at: number): EventDraft[] {
  const ids = Array.from({ length: round.uses }, (_, n) => `u${at}-${n}`)
  const asks = modelSays(1, [...(round.words === '' ? [] : [text(round.words)]), ...ids.map((id) => use(id))], {
    final: false,
    ...(round.redactedAnswer && { redacted: true }),
  })
  const results = ids.map((id) => result(id))
  const middle = {
    'as today': [asks, ...results],
    'results first': [...results, asks],
    'results around': [...results.slice(0, 1), asks, ...results.slice(1)],
    'result missing': [asks, ...results.slice(1)],
  }[round.order]
  return [
    roundStarted({ id: `r${at}` }),
    userSays(`question ${at}`, round.redactedUser ? { redacted: true } : {}),
    ...middle,
    ...(round.answer === '' ? [] : [modelSays(2, [text(round.answer)])]),
    ...(round.ended ? [roundEnded()] : []),
  ]
}

function said({ kind, at }: Aside, written: number): EventDraft {
  switch (kind) {
    case 'summary':
      return draftEvent('compact.summary', { text: 'so far so good', upTo: at % (written + 1) })
    case 'delete':
      return draftEvent('message.deleted', { target: `e${1 + (at % (written + 1))}`, by: 'owner' })
    case 'clear':
      return draftEvent('context.cleared', { by: 'owner' })
  }
}

export const oldLogs = fc
  .array(fc.tuple(oldRound, fc.array(aside, { maxLength: 2 })), { minLength: 1, maxLength: 6 })
  .map((rounds) => {
    const all: EventDraft[] = []
    rounds.forEach(([round, asides], at) => {
      all.push(...written(round, at))
      for (const one of asides) all.push(said(one, all.length))
    })
    return givenLog(...all)
  })
