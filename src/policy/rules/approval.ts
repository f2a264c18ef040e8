import type { Facts } from '../facts.ts'
import type { Rule } from '../judge.ts'

/** A person's yes counts once it is for exactly this call; a remembered one never counts where a person must always look. */
export const approval: Rule = (facts) => {
  if (facts.approved) return undefined
  const reason = mustAsk(facts)
  if (reason !== undefined) return { kind: 'ask', reason, rememberable: false }
  if (facts.tool?.approval === 'auto' || facts.remembered) return undefined
  return { kind: 'ask', reason: `${facts.name} needs approval`, rememberable: true }
}

function mustAsk({ name, tool, unknownEffect, estimate }: Facts): string | undefined {
  if (unknownEffect) return `an identical call of ${name} may already have happened; nobody has settled whether it did`
  if (tool?.approval === 'always') return `${name} always needs approval for this`
  if (estimate.confidence === 'unknown') return `what ${name} costs is not known`
  return undefined
}
