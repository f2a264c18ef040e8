import { isDeepStrictEqual } from 'node:util'
import { fileHashes, tokensOf } from '../context/index.ts'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import { WORKSPACE_CONTEXT, type AddedText, type Retrieved, type SentPrompt } from '../contract/sent-prompt.ts'
import { Problem } from '../contract/problem.ts'
import { capabilitiesOf, describedIn, tuneModel, type Model, type ModelRequest } from '../model/index.ts'
import { phaseChanges, type OpenTurn, type Step } from '../session/index.ts'
import { askedAnswer } from './asked-answer.ts'
import { givenFor, sentPrompt } from './given-for.ts'
import { checkLast, conversationLimits, findModel, modelNamed, promptFor, type Given } from './prompt-for.ts'
import { intentOf, intentToGoOn, type Intent } from './reserve.ts'
import { findAny, findCut, findSummary, makeSummary, type WantedSummary } from './make-summary.ts'
import { roundOf, workOfStep, type StepWork, type Work } from './work.ts'

export type TurnStep = Extract<Step, { kind: 'call-model' }>

/** A request and how it was made. */
export interface PreparedRequest {
  readonly request: ModelRequest
  readonly sent: SentPrompt
  readonly from: number
  /** what the log is to say the model is told with the last message, if it does not yet */
  readonly added: readonly AddedText[]
  /** the same of what was looked up */
  readonly retrieved: readonly Retrieved[] | undefined
}

/** What an event says of a request. */
export function sentWith({ from, sent, added, retrieved }: PreparedRequest) {
  return {
    from,
    sent,
    ...(added.length > 0 && { added: [...added] }),
    ...(retrieved && { retrieved: [...retrieved] }),
    ...(retrieved?.some(isForeign) && { foreign: WORKSPACE_CONTEXT }),
  }
}

/** Files and fetched context may have anybody's words; published documents and the user's own memories have not. */
const isForeign = ({ kind }: Retrieved): boolean => kind === 'file' || kind === 'context'

/** A model call that can be made once its start is stored. */
export interface PreparedTurn {
  readonly step: TurnStep
  readonly model: Model
  /** the request for a model, whose window decides how much fits */
  request(model: Model): Promise<PreparedRequest>
  /** a smaller request, after the provider said that this one is too long */
  shrink(model: Model, before: ModelRequest): Promise<PreparedRequest | undefined>
  /** the request for another answer, after one that does not fit its schema */
  correct(model: Model): Promise<PreparedRequest>
  /** the model that answers instead; undefined if it cannot be used or the workspace does not allow it */
  fallback(key: string | undefined): Model | undefined
  /** the start of the turn, if it is not stored yet */
  readonly intent: Intent
}

const NO_TOOLS = 'can use no tools, so it is offered none and answers from what it knows.'
const BUDGET_REACHED = 'Tool budget reached; answer using existing results.'

/** Appends the events before a turn and builds the request, unless a summary is to be made first; stores nothing. */
export async function prepareTurn(step: TurnStep, work: Work): Promise<PreparedTurn | WantedSummary> {
  const { session, deps } = work
  const round = roundOf(work)
  session.append(...phaseChanges(round, 'turn'))
  if (step.last && !round.lastCallBecause)
    session.append(draftEvent('notice', { text: BUDGET_REACHED, reason: step.last }))
  const { model, leftOut } = tuneModel(modelNamed(round.model, deps), round.started.params)
  const allowed = await workOfStep(work)
  const at = capabilitiesOf(model).tools ? allowed : { ...allowed, offered: [] }
  const given = await givenFor(at)
  const summary = round.openTurn ? undefined : findSummary(at, conversationLimits(deps.settings, given, model), model)
  if (summary) {
    await checkLast(session.state, given, model)
    return summary
  }
  const asks = requests(step, at, given)
  const prepared = await asks(model)
  const cut = round.openTurn || !prepared.sent.cut ? undefined : findCut(at, prepared.from, model)
  if (cut) return cut
  // A part of any source may have foreign words, besides those that every step looks for.
  const foreign = at.foreign ?? given.parts.find((part) => part.foreign !== undefined)?.foreign
  const missesTools = at.offered.length < allowed.offered.length && !session.state.shownFrom.has(model.key)
  if (missesTools) session.append(draftEvent('notice', { text: `${model.key} ${NO_TOOLS}`, reason: 'no_tools' }))
  if (step.turn === 1 && !round.openTurn) session.append(...leftOutNotice(model.key, leftOut))
  const event = {
    turn: step.turn,
    model: model.key,
    last: step.last !== null,
    ...sentWith(prepared),
    ...newTools(prepared.request.tools, round.tools),
    ...(foreign !== undefined && { foreign }),
  }
  const intent = round.openTurn
    ? withResent(await intentToGoOn(work, model), round.openTurn, model, prepared)
    : await intentOf(work, model, prepared.request, (reserved) => draftEvent('turn.started', { ...event, ...reserved }))
  return {
    step,
    model,
    request: async (other) => (other === model ? prepared : asks(other)),
    shrink: (other, before) => shrink(at, asks, other, before),
    correct: (other) => asks(other, undefined, true),
    fallback: (key) => fallbackOf(key, at),
    intent,
  }
}

/** What is sent after a takeover may differ, because prompts or preferences changed meanwhile. */
function withResent(intent: Intent, { turn, from, sent }: OpenTurn, model: Model, prepared: PreparedRequest): Intent {
  if (intent.isRefused || (from === prepared.from && isDeepStrictEqual(sent, prepared.sent))) return intent
  const again = { turn, attempt: 0, reason: 'Segno went on after a stop', model: model.key, waitMs: 0, shown: false }
  const event = draftEvent('turn.retried', { ...again, ...sentWith(prepared) })
  return { ...intent, events: [...intent.events, event] }
}

type Requests = (model: Model, mostTokens?: number, isAgain?: boolean) => Promise<PreparedRequest>

function requests(step: TurnStep, work: StepWork, given: Given): Requests {
  const { session, deps, offered: tools } = work
  const round = roundOf(work)
  const { requestId, started } = round
  return async (model, mostTokens, isAgain = false) => {
    const { params } = tuneModel(model, started.params)
    const asked = askedAnswer(step, round, model, params, tools, isAgain)
    const described = describedIn({ ...asked.request, tools })
    const limited = {
      ...given,
      tools: described,
      asked: asked.words,
      ...(mostTokens !== undefined && { mostTokens }),
    }
    const { prompt, choice } = await promptFor(session.state, deps.settings, limited, model)
    const files = await filesOf(fileHashes(prompt, deps.settings.fileBytesAtOnce), work)
    const refused = session.state.thoughtsRefused.get(model.key)
    const thoughts = refused === undefined ? {} : { withoutThoughts: refused }
    const request = { prompt, tools, ...asked.request, sessionId: session.id, requestId, files, ...thoughts }
    const sent = sentPrompt(work, given, choice, model, { ...asked.sent, ...thoughts })
    const { from, added, retrieved } = choice
    return { request, sent, from, added, retrieved }
  }
}

/** First a summary is tried; then half as much is sent. Undefined if there is nothing to leave out. */
async function shrink(
  work: StepWork,
  asks: Requests,
  model: Model,
  { prompt }: ModelRequest,
): Promise<PreparedRequest | undefined> {
  const summary = findAny(work, model)
  if (summary) await makeSummary(work, summary)
  const before = charsOf(prompt)
  try {
    const smaller = await asks(model, Math.floor(tokensOf(before) / 2))
    return charsOf(smaller.request.prompt) < before ? smaller : undefined
  } catch (error) {
    // What is never cut does not fit into the window that was just learned.
    if (error instanceof Problem && error.code === 'TOKEN_LIMIT') return undefined
    throw error
  }
}

const charsOf = ({ parts, messages, notes }: ModelRequest['prompt']): number =>
  JSON.stringify([parts.map(({ text }) => text), messages, notes]).length

async function filesOf(hashes: ReadonlySet<string>, { session, deps }: Work): Promise<ModelRequest['files']> {
  const unstored = new Map<string, Uint8Array>()
  for (const hash of hashes) {
    const bytes = session.unstored(hash)
    if (bytes) unstored.set(hash, bytes)
  }
  const stored = await deps.files([...hashes].filter((hash) => !unstored.has(hash)))
  return new Map([...stored, ...unstored])
}

/** The names of the offered tools, if they differ from the previous turn's. */
function newTools(tools: readonly { readonly name: string }[], before: readonly string[]): { tools?: string[] } {
  const names = tools.map(({ name }) => name)
  const isSame = names.length === before.length && names.every((name, at) => name === before[at])
  return isSame ? {} : { tools: names }
}

function fallbackOf(key: string | undefined, work: StepWork): Model | undefined {
  const { deps, workspace } = work
  const { models } = workspace
  if (key === undefined || (models.length > 0 && !models.includes(key))) return undefined
  const model = findModel(key, deps)
  return model instanceof Problem ? undefined : tuneModel(model, roundOf(work).started.params).model
}

/** What a model is not given of the parameters, because it would refuse it. */
export function leftOutNotice(model: string, leftOut: readonly { readonly field: string }[]): EventDraft[] {
  if (leftOut.length === 0) return []
  const fields = leftOut.map(({ field }) => field).join(' and ')
  return [
    draftEvent('notice', { text: `${model} answers without ${fields}, which it does not take.`, reason: 'left_out' }),
  ]
}
