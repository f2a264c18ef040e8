import { happened, type Happening, type Reserved } from '../contract/event.ts'
import type { Prompt } from '../contract/prompt.ts'
import { costOf, promptTokens, type Model } from '../model/index.ts'
import type { RegisteredTool } from '../tool/index.ts'
import { overBudgetWords } from './over-budget-words.ts'
import type { Work } from './work.ts'

/** What one model call may use at most, where its user has a budget that it counts against. */
export async function reservation(
  { session, hands }: Work,
  model: Model,
  tools: readonly RegisteredTool[],
  prompt: Prompt,
): Promise<Reserved | undefined> {
  const { tenant, id } = session.state.actor
  const left = await hands.left(tenant, id)
  if (left.tokens === null && left.cost === null) return undefined
  const input = await promptTokens(prompt, tools, model, Infinity)
  const usage = { input: Math.ceil(input * MARGIN) + WRAPPING, output: model.maxOutput, cachedWrite: input }
  return { tokens: usage.input + usage.output, cost: model.prices ? costOf(usage, model.prices) : 0 }
}

/** Providers count a little more than we do: their own words around each message. */
const MARGIN = 1.1
const WRAPPING = 200

/** Stores an event that sets something aside. Where it does not fit, the round is told why, and ends. */
export async function withinBudget({ session, signal }: Work, event: Happening): Promise<boolean> {
  const over = await session.appendWithin(signal, event)
  if (!over) return true
  const { message } = overBudgetWords(over, 'The answer')
  session.append(happened('notice', { text: message, reason: 'budget' }))
  return false
}
