import * as fc from 'fast-check'
import { expect } from 'vitest'
import { happened, type Happening } from '../../src/contract/event.ts'
import { fold, toMessages } from '../../src/session/index.ts'
import { givenLog, modelSays, result, roundEnded, roundStarted, text, use, userSays } from '../support/given-log.ts'
import { verifies } from '../support/verifies.ts'
import { continued, refusals } from './invariants/refusals.ts'

/**
 * Logs the product does not write (or not yet): summaries, redacted messages, results before their assistant message,
 * deletions of anything at any time. Only the fold and what is rebuilt from it are looked at.
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

function written(round: OldRound, at: number): Happening[] {
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

function said({ kind, at }: Aside, written: number): Happening {
  switch (kind) {
    case 'summary':
      return happened('compact.summary', { text: 'so far so good', upTo: at % (written + 1) })
    case 'delete':
      return happened('message.deleted', { target: `e${1 + (at % (written + 1))}`, by: 'owner' })
    case 'clear':
      return happened('context.cleared', { by: 'owner' })
  }
}

const logs = fc
  .array(fc.tuple(oldRound, fc.array(aside, { maxLength: 2 })), { minLength: 1, maxLength: 6 })
  .map((rounds) => {
    const all: Happening[] = []
    rounds.forEach(([round, asides], at) => {
      all.push(...written(round, at))
      for (const one of asides) all.push(said(one, all.length))
    })
    return givenLog(...all)
  })

verifies(
  'LIN-5',
  'older, redacted, deleted, cleared and summarised histories rebuild, cut off anywhere, to what providers take',
  () => {
    const seen = { summaries: 0, prefixes: 0 }
    fc.assert(
      fc.property(logs, (log) => {
        for (let length = 0; length <= log.length; length += 1) {
          const messages = toMessages(fold(log.slice(0, length)).history)
          expect(refusals(continued(messages), `rebuilt after event ${length}`)).toEqual([])
          seen.prefixes += 1
        }
        seen.summaries += log.filter(({ type }) => type === 'compact.summary').length
      }),
      { numRuns: 2000 },
    )
    console.log(`rebuilding: ${seen.prefixes} prefixes, compact.summary ${seen.summaries} times (fed to the fold only)`)
    expect(seen.summaries).toBeGreaterThan(500)
  },
  120_000,
)
