import { fileHashes } from '../context/index.ts'
import { happened } from '../contract/event.ts'
import type { Model, ModelRequest } from '../model/index.ts'
import { phaseChanges, type Step } from '../session/index.ts'
import { modelNamed, promptFor, usableModel } from './prompt-for.ts'
import { intentOf, intentToGoOn, type Intent } from './reserve.ts'
import { roundOf, workOfStep, type StepWork, type Work } from './work.ts'

export type TurnStep = Extract<Step, { kind: 'call-model' }>

/** A model call that can be made once it is stored that it is. */
export interface PreparedTurn {
  readonly step: TurnStep
  readonly model: Model
  /** what a model is asked: what fits depends on the model */
  request(model: Model): Promise<ModelRequest>
  /** who answers if the model does not; none that cannot be used here, or that the workspace does not have */
  fallback(key: string | undefined): Model | undefined
  /** that the turn starts, unless it did before */
  readonly intent: Intent
}

const BUDGET_REACHED = 'Tool budget reached; answer using existing results.'

/** Appends what comes before a turn and builds what the model is asked; nothing is stored. */
export async function prepareTurn(step: TurnStep, work: Work): Promise<PreparedTurn> {
  const { session, hands } = work
  const round = roundOf(work)
  session.append(...phaseChanges(round, 'turn'))
  if (step.last && !round.lastCallBecause)
    session.append(happened('notice', { text: BUDGET_REACHED, reason: step.last }))
  const model = modelNamed(round.model, hands)
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
    : await intentOf(work, model, request, (reserved) => happened('turn.started', { ...event, ...reserved }))
  return {
    step,
    model,
    request: async (other) => (other === model ? request : asks(other)),
    fallback: (key) => fallbackOf(key, at),
    intent,
  }
}

/** What a model is asked in this turn: what fits depends on the model. */
function requests(step: TurnStep, work: StepWork) {
  const { session, hands, offered: tools, workspace } = work
  const { requestId } = roundOf(work)
  return async (model: Model): Promise<ModelRequest> => {
    const prompt = await promptFor(session.state, hands.settings, workspace, tools, model)
    const files = await filesOf(fileHashes(prompt, hands.settings.fileBytesAtOnce), work)
    return { prompt, tools, mayUseTools: step.last === null, sessionId: session.id, requestId, files }
  }
}

const NO_FILES: ModelRequest['files'] = new Map()

async function filesOf(hashes: ReadonlySet<string>, { session, hands }: Work): Promise<ModelRequest['files']> {
  if (hashes.size === 0) return NO_FILES
  const unstored = new Map<string, Uint8Array>()
  for (const hash of hashes) {
    const bytes = session.unstored(hash)
    if (bytes) unstored.set(hash, bytes)
  }
  const stored = await hands.files([...hashes].filter((hash) => !unstored.has(hash)))
  return new Map([...stored, ...unstored])
}

/** What is offered, where it is not what was offered before. */
function newTools(tools: readonly { readonly name: string }[], before: readonly string[]): { tools?: string[] } {
  const names = tools.map(({ name }) => name)
  const isSame = names.length === before.length && names.every((name, at) => name === before[at])
  return isSame ? {} : { tools: names }
}

function fallbackOf(key: string | undefined, { hands, workspace: { models } }: StepWork): Model | undefined {
  if (key === undefined) return undefined
  return models.length > 0 && !models.includes(key) ? undefined : usableModel(key, hands)
}
