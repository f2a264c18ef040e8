import type { Verdict } from '../contract/outcome.ts'
import type { Policy } from '../contract/policy.ts'
import type { Facts } from './facts.ts'
import { approval } from './rules/approval.ts'
import { budget } from './rules/budget.ts'
import { cost } from './rules/cost.ts'
import { denied } from './rules/denied.ts'
import { duplicate } from './rules/duplicate.ts'
import { exists } from './rules/exists.ts'
import { folder } from './rules/folder.ts'
import { limit } from './rules/limit.ts'
import { mode } from './rules/mode.ts'
import { parse } from './rules/parse.ts'
import { permission } from './rules/permission.ts'
import { refuse } from './rules/refuse.ts'
import { schema } from './rules/schema.ts'

/** A rule decides, or says nothing and leaves it to the next one. Only the last one can allow. */
export type Rule = (facts: Facts, policy: Policy) => Verdict | undefined

/** In this order: an earlier rule cannot be overruled by a later one. */
export const RULES: readonly Rule[] = [
  parse,
  exists,
  schema,
  duplicate,
  mode,
  permission,
  folder,
  denied,
  cost,
  limit,
  budget,
  approval,
]

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
