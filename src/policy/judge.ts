import type { Verdict } from '../contract/outcome.ts'
import type { Explanation, Policy } from '../contract/policy.ts'
import { decide } from './decide.ts'
import type { Facts } from './facts.ts'
import { fits } from './fits.ts'
import { refuse, RULES } from './rules.ts'

export function judge(facts: Facts, policy: Policy): Verdict {
  return firstVerdict(facts, policy).verdict
}

/** The verdict and the name of its rule; a call that no rule allows is refused. */
function firstVerdict(facts: Facts, policy: Policy): { verdict: Verdict; rule: string } {
  for (const rule of RULES) {
    const verdict = rule(facts, policy)
    if (verdict) return { verdict, rule: rule.name }
  }
  return { verdict: refuse('POLICY', `Nothing allows ${facts.name}.`), rule: 'silence' }
}

export function explain(facts: Facts, policy: Policy): Explanation {
  const { verdict, rule } = firstVerdict(facts, policy)
  const fitting = (policy.rules ?? []).flatMap((one, at) => (fits(one, facts) ? [at + 1] : []))
  const because = reasonOf(verdict) ?? decide(facts, policy).because
  const canRun = facts.tool && facts.schemaError === undefined && facts.unparsed === undefined
  return { verdict, decidedBy: rule, because, fitting, ...(canRun && { estimate: facts.estimate }) }
}

/** An ask or a refusal has its own reason; the reason for an allow is the policy's. */
function reasonOf(verdict: Verdict): string | undefined {
  if (verdict.kind === 'refuse') return verdict.message
  return verdict.kind === 'ask' ? verdict.reason : undefined
}
