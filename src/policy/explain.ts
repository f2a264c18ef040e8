import type { Verdict } from '../contract/outcome.ts'
import type { Policy } from '../contract/policy.ts'
import { decide } from './decide.ts'
import type { Facts } from './facts.ts'
import { fits } from './fits.ts'
import { firstWord } from './judge.ts'

/** Why the gate would decide as it does. */
export interface Explanation {
  readonly verdict: Verdict
  /** the step of the gate that decides */
  readonly decidedBy: string
  /** what the policy, or in its silence the tool, says */
  readonly because: string
  /** the rules of the policy that fit, in their order; only the first one counts */
  readonly fitting: readonly number[]
}

export function explain(facts: Facts, policy: Policy): Explanation {
  const { verdict, rule } = firstWord(facts, policy)
  const fitting = (policy.rules ?? []).flatMap((one, at) => (fits(one, facts) ? [at + 1] : []))
  return { verdict, decidedBy: rule, because: wordOf(verdict) ?? decide(facts, policy).because, fitting }
}

/** An ask or a refusal says why; an allow is the policy's. */
function wordOf(verdict: Verdict): string | undefined {
  if (verdict.kind === 'refuse') return verdict.message
  return verdict.kind === 'ask' ? verdict.reason : undefined
}
