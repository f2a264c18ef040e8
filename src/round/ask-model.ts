import { draftEvent, type EventData, type EventDraft, type Purpose } from '../contract/event.ts'
import { NO_USAGE } from '../contract/message.ts'
import { ticksOf } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'
import { askModel, failureSentence, maxUsageOfQuestion, type Model } from '../model/index.ts'
import { overBudgetWords } from './reserve.ts'
import { checkMayAct } from './stopping.ts'
import type { Work } from './work.ts'

/** Something that Segno wants to know of a model, on the budget of the session's owner. */
export interface OwnQuestion {
  readonly purpose: Purpose
  readonly because: string
  readonly model: Model
  readonly system: string
  readonly text: string
  /** tokens of the answer */
  readonly maxOutput: number
  /** how long all of it may take, if less than a round */
  readonly mostMs?: number
}

/** What came of it: the answer, and the event that says so, which is not appended yet. */
export interface OwnAnswer {
  readonly text: string | undefined
  /** `failed`: why the answer is of no use after all */
  answered(failed?: string): EventDraft
}

/** Thoughts count too. */
const MOST_CHARS_PER_TOKEN = 50

/** Stores that a model is asked, and asks it once; a failure is an answer without text. */
export async function askForItself(work: Work, question: OwnQuestion): Promise<OwnAnswer> {
  const { session, deps, signal } = work
  const { purpose, because, model, system, text, maxOutput, mostMs = Infinity } = question
  const askId = newId()
  const asked = { askId, purpose, model: model.key, because }
  const done = (more: Pick<EventData['model.answered'], 'usage' | 'cost' | 'durationMs' | 'failed'>) =>
    draftEvent('model.answered', { askId, purpose, ...more })
  const refused = (failed: string): OwnAnswer => ({
    text: undefined,
    answered: () => done({ usage: NO_USAGE, cost: 0, durationMs: 0, failed }),
  })

  const { tenant, id } = session.state.actor
  const left = await deps.left(tenant, id)
  if (left.cost !== null && !model.prices)
    return refused(`The model ${model.key} has no price, and there is a daily budget.`)
  if (left.tokens === null && left.cost === null) {
    session.append(draftEvent('model.asked', asked))
    await session.flush(signal)
  } else {
    const { tokens, cost = 0 } = maxUsageOfQuestion(model, { system, text, maxOutput })
    const over = await session.appendWithin(signal, draftEvent('model.asked', { ...asked, reserved: { tokens, cost } }))
    if (over) return refused(overBudgetWords(over, purpose === 'summary' ? 'The summary' : 'The title').message)
  }

  checkMayAct(deps)
  const startedAt = ticksOf(deps.clock)
  const { totalMs, modelCallMs, contentGapMs, connectMs, answerChars } = deps.settings
  const answer = await askModel(
    model,
    { system, text, purpose, maxOutput },
    {
      patience: { connectMs, firstContentMs: modelCallMs, contentGapMs, hurried: false },
      // A model that does not keep to its limit is not listened to for long.
      answerChars: Math.min(answerChars, maxOutput * MOST_CHARS_PER_TOKEN),
      breakers: deps.breakers,
      windows: deps.windows,
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.min(totalMs, mostMs, LONGEST_TIMER_MS))]),
    },
  )
  const durationMs = Math.round(ticksOf(deps.clock) - startedAt)
  const { usage, cost, failure } = answer
  const said = answer.text.trim()
  return {
    text: failure || said === '' ? undefined : said,
    answered(failed) {
      const why = failure
        ? failureSentence(failure.reason)
        : (failed ?? (said === '' ? 'The model gave no answer.' : undefined))
      return done({ usage, cost, durationMs, ...(why !== undefined && { failed: why }) })
    },
  }
}
