import { fileHashes } from '../context/index.ts'
import { draftEvent } from '../contract/event.ts'
import { Problem } from '../contract/problem.ts'
import type { Model, ModelRequest } from '../model/index.ts'
import { phaseChanges, type Step } from '../session/index.ts'
import { findModel, modelNamed, promptFor } from './prompt-for.ts'
import { intentOf, intentToGoOn, type Intent } from './reserve.ts'
import { roundOf, workOfStep, type StepWork, type Work } from './work.ts'

export type TurnStep = Extract<Step, { kind: 'call-model' }>

/** A model call that can be made once its start is stored. */
export interface PreparedTurn {
  readonly step: TurnStep
  readonly model: Model
  /** the request for a model, whose window decides how much fits */
  request(model: Model): Promise<ModelRequest>
  /** the model that answers instead; undefined if it cannot be used or the workspace does not allow it */
  fallback(key: string | undefined): Model | undefined
  /** the start of the turn, if it is not stored yet */
  readonly intent: Intent
}

const BUDGET_REACHED = 'Tool budget reached; answer using existing results.'

/** Appends the events before a turn and builds the request; stores nothing. */
export async function prepareTurn(step: TurnStep, work: Work): Promise<PreparedTurn> {
  const { session, deps } = work
  const round = roundOf(work)
  session.append(...phaseChanges(round, 'turn'))
  if (step.last && !round.lastCallBecause)
    session.append(draftEvent('notice', { text: BUDGET_REACHED, reason: step.last }))
  const model = modelNamed(round.model, deps)
  const at = await workOfStep(work)
  const asks = requests(step, at)
  const request = await asks(model)
  const event = {
    turn: step.turn,
    model: model.key,
    last: step.last !== null,
    layerHashes: request.prompt.layers.map((layer) => layer.hash),
    from: request.prompt.from ?? 0,
    ...newTools(request.tools, round.tools),
    ...(at.foreign !== undefined && { foreign: at.foreign }),
  }
  const intent = round.openTurn
    ? await intentToGoOn(work, model)
    : await intentOf(work, model, request, (reserved) => draftEvent('turn.started', { ...event, ...reserved }))
  return {
    step,
    model,
    request: async (other) => (other === model ? request : asks(other)),
    fallback: (key) => fallbackOf(key, at),
    intent,
  }
}

function requests(step: TurnStep, work: StepWork) {
  const { session, deps, offered: tools, workspace } = work
  const { requestId } = roundOf(work)
  return async (model: Model): Promise<ModelRequest> => {
    const prompt = await promptFor(session.state, deps.settings, workspace, tools, model)
    const files = await filesOf(fileHashes(prompt, deps.settings.fileBytesAtOnce), work)
    return { prompt, tools, mayUseTools: step.last === null, sessionId: session.id, requestId, files }
  }
}

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

function fallbackOf(key: string | undefined, { deps, workspace: { models } }: StepWork): Model | undefined {
  if (key === undefined || (models.length > 0 && !models.includes(key))) return undefined
  const model = findModel(key, deps)
  return model instanceof Problem ? undefined : model
}
