import type { Policy, PolicyRule } from '../contract/policy.ts'
import type { Facts } from './facts.ts'
import { fits } from './fits.ts'

/** The decision of the policy or, without a matching rule, of the tool. */
export interface Decision {
  readonly decide: PolicyRule['decide']
  /** the number of the rule in the policy, from 1; missing if no rule matches */
  readonly rule?: number
  readonly because: string
}

const DECLARED = { auto: 'allow', ask: 'ask', always: 'always' } as const

/** The first matching rule decides; without any, the tool's declaration or a denial. */
export function decide(facts: Facts, policy: Policy): Decision {
  const at = (policy.rules ?? []).findIndex((rule) => fits(rule, facts))
  const rule = policy.rules?.[at]
  if (rule) return { decide: rule.decide, rule: at + 1, because: because(rule, at + 1) }
  const declared = facts.tool && DECLARED[facts.tool.approval]
  if (policy.otherwise === 'deny' || declared === undefined)
    return { decide: 'deny', because: 'no rule of the policy allows it' }
  return { decide: declared, because: `no rule of the policy fits; ${facts.name} itself says ${facts.tool?.approval}` }
}

export const denies = (facts: Facts, policy: Policy): boolean => decide(facts, policy).decide === 'deny'

function because(rule: PolicyRule, number: number): string {
  return `rule ${number} of the policy says ${rule.decide}${rule.because === undefined ? '' : `: ${rule.because}`}`
}
