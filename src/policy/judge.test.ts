import { describe, expect, test } from 'vitest'
import type { Verdict } from '../contract/outcome.ts'
import type { Policy } from '../contract/policy.ts'
import { verifies } from '../../tests/support/verifies.ts'
import type { Facts } from './facts.ts'
import { judge } from './judge.ts'
import { RULES, type Rule } from './rules.ts'
import { someCall } from './some-call.suite.ts'

const fine = someCall()

const inRound = (facts: Facts, round: Partial<Facts['round']>): Facts => ({
  ...facts,
  round: { ...facts.round, ...round },
})

const BANS_DROP: Policy = { rules: [{ decide: 'deny', args: { what: 'drop' } }] }

/** What makes each rule speak, in the order of the gate. */
const breaking: readonly (readonly [string, (facts: Facts) => Facts, string])[] = [
  ['parse', (facts) => ({ ...facts, unparsed: '{"x":' }), 'INVALID'],
  ['exists', (facts) => ({ ...facts, tool: undefined }), 'UNKNOWN_TOOL'],
  ['schema', (facts) => ({ ...facts, schemaError: 'x is missing' }), 'INVALID'],
  ['duplicate', (facts) => inRound(facts, { signatures: new Set(['sig']) }), 'DUPLICATE'],
  ['mode', (facts) => inRound(facts, { mode: 'plan' }), 'MODE'],
  ['enabled', (facts) => inRound(facts, { enableTools: ['other'] }), 'MODE'],
  ['permission', (facts) => inRound(facts, { permissions: ['tool:other'] }), 'PERMISSION'],
  ['consent', (facts) => ({ ...facts, withoutConsent: true }), 'PERMISSION'],
  ['folder', (facts) => ({ ...facts, folderRefused: 'It lies outside.' }), 'FOLDER'],
  ['denied', (facts) => ({ ...facts, args: { what: 'drop' } }), 'POLICY'],
  ['cost', (facts) => ({ ...facts, estimate: { ...facts.estimate, confidence: 'failed' } }), 'COST_ESTIMATE_FAILED'],
  ['limit', (facts) => inRound(facts, { executions: 3 }), 'LIMIT'],
  ['budget', (facts) => ({ ...facts, estimate: { ...facts.estimate, cost: 10 }, budget: 9 }), 'BUDGET_EXCEEDED'],
  ['approval', (facts) => ({ ...facts, unknownEffect: true }), 'ask'],
]

const codeOf = (verdict: Verdict): string => (verdict.kind === 'refuse' ? verdict.code : verdict.kind)

test('a call nobody has anything against is allowed', () => {
  expect(judge(fine, {})).toEqual({ kind: 'allow' })
})

describe('the order of the gate', () => {
  verifies('GOV-8', 'is fixed', () => {
    expect(RULES.map((rule) => rule.name)).toEqual(breaking.map(([name]) => name))
  })

  test.each(breaking.map(([name, breaks, code]) => ({ name, breaks, code })))(
    '$name alone says $code',
    ({ breaks, code }) => {
      expect(codeOf(judge(breaks(fine), BANS_DROP))).toBe(code)
    },
  )

  const pairs = breaking.flatMap(([earlier, breaksEarlier, code], at) =>
    breaking.slice(at + 1).map(([later, breaksLater], more) => {
      return { earlier, later, code, facts: breaksEarlier(breaksLater(fine)), at, laterAt: at + 1 + more }
    }),
  )
  test.each(pairs)('$earlier speaks before $later', ({ code, facts, at, laterAt }) => {
    const [first, second] = [RULES[at] as Rule, RULES[laterAt] as Rule]
    expect(first(facts, BANS_DROP), 'the earlier rule would speak').toBeDefined()
    expect(second(facts, BANS_DROP), 'the later rule would speak too').toBeDefined()
    expect(judge(facts, BANS_DROP)).toEqual(first(facts, BANS_DROP))
    expect(codeOf(judge(facts, BANS_DROP))).toBe(code)
  })

  verifies('GOV-8', 'holds after an approval too: every rule is asked once more', () => {
    for (const [name, breaks, code] of breaking) {
      const verdict = codeOf(judge({ ...breaks(fine), approved: true, remembered: true }, BANS_DROP))
      expect(verdict, name).toBe(name === 'approval' ? 'allow' : code)
    }
  })

  test('every refusal says something the model can act on', () => {
    for (const [name, breaks] of breaking) {
      const verdict = judge(breaks(fine), BANS_DROP)
      const words = verdict.kind === 'refuse' ? verdict.message : verdict.kind === 'ask' ? verdict.reason : ''
      expect(words.length, name).toBeGreaterThan(15)
    }
  })
})
