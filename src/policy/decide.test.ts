import { describe, expect, test } from 'vitest'
import type { PolicyRule } from '../contract/policy.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { decide } from './decide.ts'
import { explain, judge } from './judge.ts'
import { someCall, type Given } from './some-call.suite.ts'

const rules = (...said: (PolicyRule['decide'] | PolicyRule)[]) => ({
  rules: said.map((one) => (typeof one === 'string' ? { decide: one } : one)),
})

describe('the policy', () => {
  test('is the first rule that fits, and says which', () => {
    const policy = rules({ decide: 'deny', tool: 'other' }, { decide: 'ask', because: 'it is mail' }, 'allow')
    expect(decide(someCall(), policy)).toEqual({
      decide: 'ask',
      rule: 2,
      because: 'rule 2 of the policy says ask: it is mail',
    })
  })

  test.each([
    ['auto', 'allow'],
    ['ask', 'ask'],
    ['always', 'always'],
  ] as const)('that is silent leaves a tool that says %s to %s', (approval, word) => {
    for (const policy of [
      {},
      { rules: [] },
      rules({ decide: 'deny', tool: 'other' }),
      { otherwise: 'declared' },
    ] as const)
      expect(decide(someCall({ tool: { approval } }), policy)).toMatchObject({ decide: word })
  })

  test('that is silent refuses where it says so, whatever the tool says', () => {
    for (const approval of ['auto', 'ask', 'always'] as const)
      expect(judge(someCall({ tool: { approval } }), { otherwise: 'deny' })).toMatchObject({
        kind: 'refuse',
        code: 'POLICY',
      })
    expect(judge(someCall(), { ...rules('allow'), otherwise: 'deny' })).toEqual({ kind: 'allow' })
  })

  verifies('ORC-8', 'can be milder or stricter than the tool, and an always of either is not remembered', () => {
    const verdict = (approval: 'auto' | 'ask' | 'always', word: PolicyRule['decide'], more: Given = {}) =>
      judge(someCall({ ...more, tool: { approval } }), rules(word))
    for (const approval of ['auto', 'ask', 'always'] as const) {
      expect(verdict(approval, 'allow')).toEqual({ kind: 'allow' })
      expect(verdict(approval, 'ask')).toMatchObject({ kind: 'ask', rememberable: true })
      expect(verdict(approval, 'ask', { remembered: true })).toEqual({ kind: 'allow' })
      expect(verdict(approval, 'always', { remembered: true, rememberedExactly: true })).toMatchObject({
        kind: 'ask',
        rememberable: false,
      })
      expect(verdict(approval, 'deny', { approved: true, remembered: true, rememberedExactly: true })).toMatchObject({
        code: 'POLICY',
      })
    }
  })

  test('is told to the person who is asked and to the model that is refused', () => {
    const because = 'mail goes to customers'
    expect(judge(someCall(), rules({ decide: 'ask', because }))).toMatchObject({
      reason: expect.stringContaining(because) as string,
    })
    expect(judge(someCall(), rules({ decide: 'deny', because }))).toMatchObject({
      message: expect.stringContaining(because) as string,
    })
  })
})

describe('an explanation', () => {
  test('says the step of the gate, the reason, and every rule that fits', () => {
    const policy = rules({ decide: 'deny', tool: 'other' }, { decide: 'ask', tool: 'send' }, 'allow')
    expect(explain(someCall(), policy)).toEqual({
      verdict: { kind: 'ask', reason: 'send needs approval (rule 2 of the policy says ask)', rememberable: true },
      decidedBy: 'approval',
      because: 'send needs approval (rule 2 of the policy says ask)',
      fitting: [2, 3],
      estimate: { cost: 0, tokens: 0, latencyMs: 0, confidence: 'exact' },
    })
    expect(explain(someCall(), rules('allow'))).toMatchObject({
      because: 'rule 1 of the policy says allow',
      fitting: [1],
    })
    expect(explain(someCall(), {})).toMatchObject({
      because: expect.stringContaining('send itself says auto') as string,
    })
    expect(explain(someCall({ unparsed: '{' }), rules('deny'))).toMatchObject({ decidedBy: 'parse', fitting: [1] })
  })
})
