import { happened, type Happening, type Reserved } from '../contract/event.ts'
import { mostUsage, type Model, type ModelRequest } from '../model/index.ts'
import { overBudgetWords } from './over-budget-words.ts'
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

/** Stores an event with what it sets aside. Where that does not fit or may not be, the round is told why, and ends. */
export async function withinBudget(
  work: Work,
  model: Model,
  request: ModelRequest,
  event: (reserved: { reserved?: Reserved }) => Happening,
): Promise<boolean> {
  const { session, signal } = work
  const reserved = await reservation(work, model, request)
  if (reserved === undefined) {
    session.append(event({}))
    return true
  }
  if (reserved === 'refused') {
    refuse(work, unpriced(model))
    return false
  }
  const over = await session.appendWithin(signal, event({ reserved }))
  if (over) refuse(work, overBudgetWords(over, 'The answer').message)
  return !over
}

/** A turn that was begun before is gone on with, unless there is a budget now that its model has no price for. */
export async function mayGoOn(work: Work, model: Model): Promise<boolean> {
  const { tenant, id } = work.session.state.actor
  if (model.prices || (await work.hands.left(tenant, id)).cost === null) return true
  refuse(work, unpriced(model))
  return false
}

function refuse({ session }: Work, text: string): void {
  session.append(happened('notice', { text, reason: 'budget' }))
}

function unpriced({ key }: Model): string {
  return (
    `The model ${key} has no price, and there is a daily budget to keep to. Use a model that has one; who runs Segno ` +
    'can give it one with SEGNO_MODELS, or say with SEGNO_ASSUMED_PRICES what to assume.'
  )
}
