import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

/** Who may spend only so much cannot be let spend what nobody knows. */
export const cost: Rule = ({ name, estimate: { confidence }, budget }) => {
  if (confidence === 'failed')
    return refuse('COST_ESTIMATE_FAILED', `What ${name} would cost could not be worked out, so it was not called.`)
  if (budget !== undefined && (confidence === 'unknown' || confidence === 'unpriced'))
    return refuse(
      'COST_ESTIMATE_FAILED',
      `There is a daily budget, and nobody said what ${name} costs, so it was not called. Who runs Segno can say so in ` +
        'SEGNO_POLICY, or for a model in SEGNO_MODELS or SEGNO_ASSUMED_PRICES.',
    )
  return undefined
}
