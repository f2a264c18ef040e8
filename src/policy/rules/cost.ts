import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const cost: Rule = ({ name, estimate }) =>
  estimate.confidence === 'failed'
    ? refuse('COST_ESTIMATE_FAILED', `What ${name} would cost could not be worked out, so it was not called.`)
    : undefined
