import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const budget: Rule = ({ name, estimate, budget: left }) =>
  left !== undefined && estimate.cost > left
    ? refuse('BUDGET_EXCEEDED', `${name} would cost more than is left of the budget.`)
    : undefined
