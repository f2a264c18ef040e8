import * as fc from 'fast-check'
import { draftEvent, type EventDraft } from '../../src/contract/event.ts'
import { givenLog, modelSays, result, roundEnded, roundStarted, text, use, userSays } from '../support/given-log.ts'

/**
 * Logs the product does not write, or not often: summaries, redacted messages, results before their assistant message,
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
  fc.record({ kind: fc.constant('delete, numbered' as const), at: fc.nat(1000) }),
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

function said({ kind, at }: Aside, written: readonly EventDraft[]): EventDraft {
  const target = 1 + (at % (written.length + 1))
  switch (kind) {
    case 'summary': {
      // Whole exchanges after those of the summary before, as Segno and its imports write it.
      const before = written.findLast(({ type }) => type === 'compact.summary')
      const upTo = before?.type === 'compact.summary' ? before.data.upTo : 0
      const starts = written.flatMap(({ type }, n) => (type === 'round.started' && n >= upTo ? [n + 1] : []))
      const ends = [...starts.slice(upTo === 0 ? 1 : 0), written.length]
      return draftEvent('compact.summary', { text: 'so far so good', upTo: ends[at % ends.length] ?? 0 })
    }
    case 'delete':
      return draftEvent('message.deleted', { target: `e${target}`, by: 'owner' })
    case 'delete, numbered':
      return draftEvent('message.deleted', { target: `e${target}`, by: 'owner', seq: target })
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
      for (const one of asides) all.push(said(one, all))
    })
    return givenLog(...all)
  })
