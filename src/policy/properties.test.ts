import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Mode, Verdict } from '../contract/outcome.ts'
import type { Policy, PolicyRule } from '../contract/policy.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { decide } from './decide.ts'
import type { Facts } from './facts.ts'
import { fits } from './fits.ts'
import { explain, judge } from './judge.ts'
import { RULES, type Rule } from './rules.ts'
import { someCall } from './some-call.suite.ts'

const one = fc.constantFrom
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
/** Mostly the first, so that calls get as far as every step of the gate. */
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: one(...others) })

/** Few words, so that rules often fit. */
const hosts = one('a.test', 'b.test', '*.a.test', '*')
const paths = one('docs/**', 'docs/a', '**', '*')
const commands = one('ls', 'rm *', 'git log *')
const names = one('send', 'look', 's*', '*')

const rule: fc.Arbitrary<PolicyRule> = fc
  .record({
    decide: one('allow', 'ask', 'always', 'deny'),
    tool: maybe(names),
    host: maybe(hosts),
    path: maybe(paths),
    command: maybe(commands),
    args: maybe(fc.dictionary(one('n', 'a.b'), one('1', 'x*', '*'), { maxKeys: 2 })),
    mode: maybe(one('plan', 'act')),
    permission: maybe(one('tool:send', 'tool:bash')),
    workspace: maybe(one('system', 'team-*')),
    tainted: maybe(fc.boolean()),
  })
  .map((named) => Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as never)

const policy: fc.Arbitrary<Policy> = fc.record({
  rules: fc.array(rule, { maxLength: 5 }),
  otherwise: one('declared', 'deny'),
})

const call: fc.Arbitrary<Facts> = fc
  .record({
    name: one('send', 'look'),
    unparsed: mostly<string | undefined>(undefined, '{'),
    schemaError: mostly<string | undefined>(undefined, 'x is missing'),
    args: one({}, { n: 1 }, { a: { b: 'x1' } }, { n: 'https://a.test/', a: { b: ['y'] } }),
    known: mostly(true, false),
    effect: one('pure', 'unsafe'),
    approval: one('auto', 'ask', 'always'),
    reach: one([], ['outward'], ['secrets']),
    url: fc.array(one('https://a.test/', 'https://x.a.test:8443/', 'nonsense'), { maxLength: 2 }),
    path: fc.array(one('docs/a', 'docs/b', '../x', '.'), { maxLength: 2 }),
    command: fc.array(one('ls', 'sudo rm x', 'git log -p'), { maxLength: 1 }),
    repeated: mostly(false, true),
    protocol: one('unified', 'triggered'),
    mode: mostly<Mode>('act', 'plan'),
    enableTools: mostly<Facts['round']['enableTools']>(undefined, true, false, ['other']),
    permissions: mostly(['*'], ['tool:send'], ['tool:bash'], []),
    workspaceId: one('system', 'team-a'),
    taintedBy: maybe(one('web_fetch')),
    executions: mostly(0, 3),
    confidence: mostly<Facts['estimate']['confidence']>('exact', 'unknown', 'failed'),
    budget: one(undefined, 10, 0),
    withoutConsent: mostly(false, true),
    folderRefused: mostly<string | undefined>(undefined, 'It lies outside.'),
    approved: fc.boolean(),
    remembered: fc.boolean(),
    rememberedExactly: fc.boolean(),
    unknownEffect: fc.boolean(),
  })
  .map((it) => {
    const { known, effect, approval, url, path, command, repeated, confidence, ...rest } = it
    const { protocol, mode, enableTools, permissions, workspaceId, taintedBy, executions, reach, ...more } = rest
    const signatures = new Set(repeated ? ['sig'] : [])
    const facts = someCall({
      ...more,
      tool: { effect, approval, reach, fields: { url, path, command } },
      round: { protocol, mode, enableTools, permissions, workspaceId, taintedBy, executions, signatures },
      estimate: { cost: 5, confidence },
    })
    return known ? facts : { ...facts, tool: undefined }
  })

const runs = { numRuns: 400 }
const policyRules: readonly string[] = ['denied', 'approval']
const withRules = (rules: readonly PolicyRule[], { otherwise }: Policy): Policy => ({
  rules,
  otherwise: otherwise ?? 'declared',
})

test('rules after one that fits change nothing', () => {
  fc.assert(
    fc.property(call, policy, fc.array(rule, { maxLength: 3 }), (facts, before, more) => {
      const rules = before.rules ?? []
      fc.pre(rules.some((said) => fits(said, facts)))
      const after = withRules([...rules, ...more], before)
      expect(judge(facts, after)).toEqual(judge(facts, before))
      expect(explain(facts, after)).toMatchObject({ verdict: judge(facts, before) })
    }),
    runs,
  )
})

test('an allow put anywhere after a deny that decides never turns it around', () => {
  fc.assert(
    fc.property(call, policy, fc.nat(), rule, (facts, before, place, allow) => {
      const { decide: word, rule: number } = decide(facts, before)
      fc.pre(word === 'deny' && number !== undefined)
      const rules = before.rules ?? []
      const at = number + (place % (rules.length - number + 1))
      const after = withRules([...rules.slice(0, at), { ...allow, decide: 'allow' }, ...rules.slice(at)], before)
      expect(judge(facts, after)).toEqual(judge(facts, before))
    }),
    runs,
  )
})

test('a deny put first is the end of it, whatever else is allowed, remembered or approved', () => {
  fc.assert(
    fc.property(call, policy, (facts, before) => {
      expect(judge(facts, withRules([{ decide: 'deny' }, ...(before.rules ?? [])], before)).kind).toBe('refuse')
    }),
    runs,
  )
})

test('where silence refuses, nothing runs and nobody is asked without a rule that fits', () => {
  fc.assert(
    fc.property(call, policy, (facts, { rules = [] }) => {
      fc.pre(!rules.some((said) => fits(said, facts)))
      expect(judge(facts, { rules, otherwise: 'deny' }).kind).toBe('refuse')
    }),
    runs,
  )
})

verifies('GOV-8', 'no policy overrules a step of the gate that is not its own', () => {
  const others = RULES.filter((step) => !policyRules.includes(step.name))
  fc.assert(
    fc.property(call, policy, (facts, said) => {
      const verdict = judge(facts, said)
      const words = others.map((step: Rule) => step(facts, {})).filter((word) => word !== undefined)
      fc.pre(words.length > 0)
      expect(verdict.kind).toBe('refuse')
      // A policy may only be there first with a refusal of its own.
      const isPolicys = verdict.kind === 'refuse' && verdict.code === 'POLICY'
      if (!isPolicys) expect(words).toContainEqual(verdict)
    }),
    runs,
  )
})

test('no policy lets a call with an unknown effect, an unknown cost or a leak run without a person', () => {
  fc.assert(
    fc.property(call, policy, (facts, said) => {
      const { tool, round, rememberedExactly, estimate } = facts
      const mayLeak = round.taintedBy !== undefined && (tool?.reach.length ?? 0) > 0 && !rememberedExactly
      fc.pre(!facts.approved && (facts.unknownEffect || estimate.confidence === 'unknown' || mayLeak))
      expect(judge(facts, said).kind).not.toBe('allow')
    }),
    runs,
  )
})

test('an explanation agrees with the gate, for every call and every policy', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(call, policy, (facts, said) => {
      const { verdict, decidedBy, because, fitting } = explain(facts, said)
      seen.add(decidedBy)
      expect(verdict).toEqual(judge(facts, said))
      expect(because).not.toBe('')
      const step = RULES.find(({ name }) => name === decidedBy)
      if (step) expect(step(facts, said)).toEqual(verdict)
      expect(fitting[0]).toBe(decide(facts, said).rule)
      expect(because).toContain(reasonOf(verdict))
    }),
    { numRuns: 1000 },
  )
  expect([...seen].sort()).toEqual(RULES.map(({ name }) => name).sort())
})

const reasonOf = (verdict: Verdict): string =>
  verdict.kind === 'refuse' ? verdict.message : verdict.kind === 'ask' ? verdict.reason : ''
