import type { Verdict } from '../contract/outcome.ts'
import type { Facts } from './facts.ts'
import { approval } from './rules/approval.ts'
import { budget } from './rules/budget.ts'
import { cost } from './rules/cost.ts'
import { duplicate } from './rules/duplicate.ts'
import { exists } from './rules/exists.ts'
import { limit } from './rules/limit.ts'
import { mode } from './rules/mode.ts'
import { parse } from './rules/parse.ts'
import { permission } from './rules/permission.ts'
import { schema } from './rules/schema.ts'

/** A rule decides, or says nothing and leaves it to the next one. */
export type Rule = (facts: Facts) => Verdict | undefined

/** In this order: an earlier rule cannot be overruled by a later one. */
export const RULES: readonly Rule[] = [
  parse,
  exists,
  schema,
  duplicate,
  mode,
  permission,
  cost,
  limit,
  budget,
  approval,
]

/** Silence refuses nothing here: the approval rule always speaks for a tool that is not automatic. */
export function judge(facts: Facts): Verdict {
  for (const rule of RULES) {
    const verdict = rule(facts)
    if (verdict) return verdict
  }
  return { kind: 'allow' }
}
