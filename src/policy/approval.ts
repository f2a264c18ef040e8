import type { Reach } from '../contract/tool.ts'
import type { AddressFacts, Facts } from './facts.ts'
import type { Rule } from './rules.ts'
import { decide } from './decide.ts'

/** An approval of exactly this call allows it; a remembered one does not count if a person must decide each time. */
export const approval: Rule = (facts, policy) => {
  if (facts.approved) return { kind: 'allow' }
  const { decide: word, rule, because } = decide(facts, policy)
  const why = rule === undefined ? '' : ` (${because})`
  const always = word === 'always' ? `${facts.name} always needs approval for this${why}` : undefined
  const each = mustAsk(facts) ?? always
  if (each !== undefined) return { kind: 'ask', reason: each, rememberable: false }
  const spread = mayLeak(facts)
  if (spread !== undefined && !facts.rememberedExactly) return { kind: 'ask', reason: spread, rememberable: true }
  if (word === 'allow') return { kind: 'allow' }
  // After foreign text was read, only the exact arguments count, because a target may not contain all of them.
  const remembered = facts.round.taintedBy === undefined ? facts.remembered : facts.rememberedExactly
  if (word === 'ask' && remembered) return { kind: 'allow' }
  return word === 'ask' ? { kind: 'ask', reason: `${facts.name} needs approval${why}`, rememberable: true } : undefined
}

/** Why a remembered approval cannot count, if so. */
function mustAsk({ name, unknownEffect, estimate }: Facts): string | undefined {
  if (unknownEffect) return `an identical call of ${name} may already have happened; nobody has settled whether it did`
  return estimate.confidence === 'unknown' ? `what ${name} costs is not known` : undefined
}

/** Why no policy can allow it unasked, if so: foreign text may have made the model call it. */
function mayLeak({ name, tool, address, round: { taintedBy } }: Facts): string | undefined {
  if (taintedBy === undefined || !tool) return undefined
  const what = leakOf(tool.reach, address)
  if (what === undefined) return undefined
  return `this conversation holds text from outside (${taintedBy}), and ${name} ${what}`
}

function leakOf(reach: readonly Reach[], address: AddressFacts | undefined): string | undefined {
  if (reach.includes('outward')) return 'sends data out'
  if (reach.includes('secrets')) return 'may read secrets'
  if (!reach.includes('address')) return undefined
  if (address === undefined) return 'sends data out'
  const { chars, sum, most } = address
  if (chars === 0 || sum <= most) return undefined
  return `asks for an address that neither you nor a fetched page named; the paths of such addresses have ${sum} characters by now, and only ${most} go unasked`
}
