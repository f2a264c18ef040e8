import {
  summaryDue,
  summaryOfCut,
  summaryQuestion,
  tokensOf,
  type CutLimits,
  type SummaryDue,
} from '../context/index.ts'
import { draftEvent } from '../contract/event.ts'
import { promptTokens, type Model } from '../model/index.ts'
import type { History } from '../session/index.ts'
import { askForItself } from './ask-model.ts'
import { allowedModel, roomOf, shownLimits } from './prompt-for.ts'
import { Stopping, isStopping } from './stopping.ts'
import type { Work } from './work.ts'

/** The older part of a conversation, to be summarised before the next turn. */
export interface WantedSummary {
  readonly due: SummaryDue
  readonly because: string
  /** the model that makes it, unless another one is there for summaries */
  readonly usual: Model
  /** who asked for it */
  readonly by?: string
}

/** How much of what a summary replaces it may be long. */
const SHARE = 0.5
/** What is left of a summary model's window for the conversation, next to the question. */
const QUESTION_SHARE = 0.8
/** As many as there are in most languages. */
const CHARS_PER_TOKEN = 2

type Asking = Pick<Work, 'session' | 'deps'>

/** Every conversation is longer. */
const ANY: CutLimits = { messages: Infinity, tokens: 1 }

/** What is to be summarised because the conversation gets as long as the model can be shown; undefined if nothing is. */
export function findSummary(work: Asking, limits: CutLimits, usual: Model): WantedSummary | undefined {
  const { compactPercent } = work.deps.settings
  if (!isDue(work, usual)) return undefined
  const due = summaryDue(work.session.state.history, limits, compactPercent, shownLimits(work.deps.settings))
  return wanted(work, due, usual, 'the conversation is nearly as long as the model can be shown')
}

/** The same if it turned out to be longer than expected, and would be cut before event `from`. */
export function findCut(work: Asking, from: number, usual: Model): WantedSummary | undefined {
  if (!isDue(work, usual)) return undefined
  const due = summaryOfCut(work.session.state.history, from, shownLimits(work.deps.settings))
  return wanted(work, due, usual, 'the conversation is longer than the model can be shown')
}

/** Whatever can be summarised. */
export function findAny(work: Asking, usual: Model): WantedSummary | undefined {
  const due = summaryDue(work.session.state.history, ANY, 100, shownLimits(work.deps.settings))
  return wanted(work, due, usual, 'the model said that the prompt is too long')
}

/** One round with another model, which may see less, changes nothing for the usual one. */
function isDue({ session, deps }: Asking, usual: Model): boolean {
  const { lastModel } = session.state
  return deps.settings.compactPercent > 0 && (lastModel === null || lastModel === usual.key)
}

/** Undefined if there is nothing, or this round asked before. */
function wanted(
  { session, deps }: Asking,
  due: SummaryDue | undefined,
  usual: Model,
  because: string,
): WantedSummary | undefined {
  const { summaryIn, round } = session.state
  if (!due || !deps.mayAsk() || (round && summaryIn === round.requestId)) return undefined
  return { due, because, usual }
}

/** Asks for a summary and appends it, or why there is none: then the conversation is cut. */
export async function makeSummary(work: Work, { due, because, usual, by }: WantedSummary): Promise<void> {
  const { session, deps } = work
  const model = (await allowedModel(deps.settings.summaryModel, session.state, deps)) ?? usual
  const { chars, ...question } = await questionFor(model, session.state.history, due)
  const most = Math.min(deps.settings.summaryChars, Math.floor(chars * SHARE))
  const maxOutput = Math.max(1, Math.min(model.maxOutput, tokensOf(most)))
  const { text, answered } = await askForItself(work, { purpose: 'summary', because, model, maxOutput, ...question })
  if (isStopping(work.signal)) throw new Stopping('stopped while a summary was made')
  const saves = text !== undefined && text.length < chars
  const summary = saves ? text.slice(0, most).toWellFormed() : ''
  session.append(answered(text !== undefined && summary === '' ? 'The summary saves nothing.' : undefined))
  if (summary === '') return
  const saved = tokensOf(chars - summary.length)
  session.append(
    draftEvent('compact.summary', {
      text: summary,
      upTo: due.upTo,
      model: model.key,
      saved,
      ...(by !== undefined && { by }),
    }),
  )
}

/** With as much of the conversation as fits the model's window. */
async function questionFor(model: Model, history: History, due: SummaryDue) {
  const room = Math.max(1, Math.floor(roomOf(model) * QUESTION_SHARE))
  for (let most = room * CHARS_PER_TOKEN; ; most = Math.floor(most / 2)) {
    const question = summaryQuestion(history, due, most)
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: question.text }], eventIds: [] }
    const tokens = await promptTokens({ parts: [], messages: [message], notes: [] }, [], model, room)
    if (tokens <= room || most <= 1) return question
  }
}
