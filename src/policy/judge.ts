import type { Verdict } from '../contract/outcome.ts'
import type { Policy } from '../contract/policy.ts'
import type { Facts } from './facts.ts'
import { refuse, RULES } from './rules.ts'

/** Silence refuses. */
export function judge(facts: Facts, policy: Policy): Verdict {
  return firstWord(facts, policy).verdict
}

/** The verdict with the name of the rule it comes from. */
export function firstWord(facts: Facts, policy: Policy): { verdict: Verdict; rule: string } {
  for (const rule of RULES) {
    const verdict = rule(facts, policy)
    if (verdict) return { verdict, rule: rule.name }
  }
  return { verdict: refuse('POLICY', `Nothing allows ${facts.name}.`), rule: 'silence' }
}
