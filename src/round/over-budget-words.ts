import type { RefusalCode } from '../contract/outcome.ts'
import type { OverBudget } from '../store/index.ts'

const BUDGETS = {
  tokens: 'the daily budget of tokens',
  tools: 'the daily budget for tools',
  cost: 'the daily budget',
} as const

/** Why something was not started: what the model and the user are told. */
export function overBudgetWords(
  { what, limit, left }: OverBudget,
  name: string,
): { code: RefusalCode; message: string } {
  switch (what) {
    case 'hourly':
      return { code: 'QUOTA', message: `${name} may be called ${limit} times an hour, and was. Go on without it.` }
    case 'concurrent':
      return {
        code: 'QUOTA',
        message: `${name} may run ${limit} times at once, and does. Go on without it, or try later.`,
      }
    case 'tokens':
    case 'tools':
    case 'cost': {
      const unit = what === 'tokens' ? 'tokens' : 'micro-dollars'
      const message = `${name} needs more than is left of ${BUDGETS[what]} (${left} of ${limit} ${unit}).`
      return { code: 'BUDGET_EXCEEDED', message }
    }
  }
}
