import { draftEvent, type EventDraft, type Reserved } from '../contract/event.ts'
import type { RefusalCode } from '../contract/outcome.ts'
import { maxUsage, type Model, type ModelRequest } from '../model/index.ts'
import type { OverBudget } from '../store/index.ts'
import type { Work } from './work.ts'

/**
 * What a model call may use at most; undefined without a budget, `refused` if there is a cost budget and the model has
 * no price.
 */
async function reservation(
  { session, deps }: Work,
  model: Model,
  request: ModelRequest,
): Promise<Reserved | 'refused' | undefined> {
  const { tenant, id } = session.state.actor
  const left = await deps.left(tenant, id)
  if (left.tokens === null && left.cost === null) return undefined
  if (left.cost !== null && !model.prices) return 'refused'
  const { tokens, cost = 0 } = await maxUsage(request, model)
  return { tokens, cost }
}

/** The events that start a model call: those in `reserving` only within the budget, or the reason if it is refused. */
export interface Intent {
  readonly isRefused?: boolean
  readonly events: readonly EventDraft[]
  readonly reserving: readonly EventDraft[]
}

export async function intentOf(
  work: Work,
  model: Model,
  request: ModelRequest,
  event: (reserved: { reserved?: Reserved }) => EventDraft,
): Promise<Intent> {
  const reserved = await reservation(work, model, request)
  if (reserved === 'refused') return unpriced(model)
  return reserved ? { events: [], reserving: [event({ reserved })] } : { events: [event({})], reserving: [] }
}

/** Continues a started turn, unless there is a cost budget by now and its model has no price. */
export async function intentToGoOn(work: Work, model: Model): Promise<Intent> {
  const { tenant, id } = work.session.state.actor
  const may = model.prices || (await work.deps.left(tenant, id)).cost === null
  return may ? { events: [], reserving: [] } : unpriced(model)
}

/** Appends the events, and stores them if they reserve anything; false if the call is refused or over budget. */
export async function withinBudget(
  { session, signal }: Work,
  { isRefused, events, reserving }: Intent,
): Promise<boolean> {
  session.append(...events)
  const over = reserving.length > 0 && (await session.appendWithin(signal, ...reserving))
  if (over) session.append(notWithin(over))
  return !isRefused && !over
}

/** The notice that ends the round. */
export function notWithin(over: OverBudget): EventDraft {
  return notice(overBudgetWords(over, 'The answer').message)
}

const notice = (text: string): EventDraft => draftEvent('notice', { text, reason: 'budget' })

function unpriced({ key }: Model): Intent {
  const why =
    `The model ${key} has no price, and there is a daily budget to keep to. Use a model that has one; who runs Segno ` +
    'can give it one with SEGNO_MODELS, or say with SEGNO_ASSUMED_PRICES what to assume.'
  return { isRefused: true, events: [notice(why)], reserving: [] }
}

const BUDGETS = {
  tokens: 'the daily budget of tokens',
  tools: 'the daily budget for tools',
  cost: 'the daily budget',
} as const

/** Why something was not started, for the model and the user. */
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
