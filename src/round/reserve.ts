import { happened, type Happening, type Reserved } from '../contract/event.ts'
import type { RefusalCode } from '../contract/outcome.ts'
import { mostUsage, type Model, type ModelRequest } from '../model/index.ts'
import type { OverBudget } from '../store/index.ts'
import type { Work } from './work.ts'

/**
 * What one model call may use at most, where its user has a budget that it counts against. `refused`: nobody can say
 * what it costs, and its user may not spend just anything.
 */
async function reservation(
  { session, hands }: Work,
  model: Model,
  request: ModelRequest,
): Promise<Reserved | 'refused' | undefined> {
  const { tenant, id } = session.state.actor
  const left = await hands.left(tenant, id)
  if (left.tokens === null && left.cost === null) return undefined
  if (left.cost !== null && !model.prices) return 'refused'
  const { tokens, cost = 0 } = await mostUsage(request, model)
  return { tokens, cost }
}

/** What a model call is recorded as: `aside` only if a budget has room for it. Refused, it is recorded why, and not made. */
export interface Intent {
  readonly isRefused?: boolean
  readonly events: readonly Happening[]
  readonly aside: readonly Happening[]
}

/** A model call, with what it sets aside. */
export async function intentOf(
  work: Work,
  model: Model,
  request: ModelRequest,
  event: (reserved: { reserved?: Reserved }) => Happening,
): Promise<Intent> {
  const reserved = await reservation(work, model, request)
  if (reserved === 'refused') return unpriced(model)
  return reserved ? { events: [], aside: [event({ reserved })] } : { events: [event({})], aside: [] }
}

/** A turn that was begun before is gone on with, unless there is a budget now that its model has no price for. */
export async function intentToGoOn(work: Work, model: Model): Promise<Intent> {
  const { tenant, id } = work.session.state.actor
  const may = model.prices || (await work.hands.left(tenant, id)).cost === null
  return may ? { events: [], aside: [] } : unpriced(model)
}

/** Appends what is meant, and stores it if it sets anything aside. Where that does not fit, the round ends: then false. */
export async function withinBudget({ session, signal }: Work, { isRefused, events, aside }: Intent): Promise<boolean> {
  session.append(...events)
  const over = aside.length > 0 && (await session.appendWithin(signal, ...aside))
  if (over) session.append(notWithin(over))
  return !isRefused && !over
}

/** A round that is told this ends. */
export function notWithin(over: OverBudget): Happening {
  return notice(overBudgetWords(over, 'The answer').message)
}

const notice = (text: string): Happening => happened('notice', { text, reason: 'budget' })

function unpriced({ key }: Model): Intent {
  const why =
    `The model ${key} has no price, and there is a daily budget to keep to. Use a model that has one; who runs Segno ` +
    'can give it one with SEGNO_MODELS, or say with SEGNO_ASSUMED_PRICES what to assume.'
  return { isRefused: true, events: [notice(why)], aside: [] }
}

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
