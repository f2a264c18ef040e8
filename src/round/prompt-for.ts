import { buildPrompt, type CutLimits } from '../context/index.ts'
import type { Prompt } from '../contract/prompt.ts'
import { Problem } from '../contract/problem.ts'
import type { Workspace } from '../contract/workspace.ts'
import { mostPromptTokens, promptTokens, unusableModel, type Model } from '../model/index.ts'
import type { SessionState } from '../session/index.ts'
import type { RegisteredTool } from '../tool/index.ts'
import type { Hands, Settings } from './hands.ts'

/** Of a model's window, what it is asked may fill this much. */
const INPUT_SHARE = 0.8
const TRIES = 4

/** How much of a conversation any model is shown at most. */
export function shownLimits(settings: Pick<Settings, 'historyMessages' | 'contextTokens'>): CutLimits {
  return { messages: settings.historyMessages, tokens: settings.contextTokens }
}

/** What a model would be called with, as things stand: as much of the conversation as fits its window. */
export async function promptFor(
  state: SessionState,
  settings: Hands['settings'],
  { instructions }: Pick<Workspace, 'instructions'>,
  tools: readonly RegisteredTool[],
  model: Pick<Model, 'key' | 'provider' | 'window' | 'maxOutput'>,
): Promise<Prompt> {
  const { systemPrompt, historyMessages, contextTokens } = settings
  const room = Math.min(Math.floor(model.window * INPUT_SHARE), model.window - model.maxOutput)
  async function fits(prompt: Prompt): Promise<boolean> {
    const conversation = await promptTokens({ ...prompt, layers: [] }, [], model, contextTokens)
    const rest = await promptTokens({ ...prompt, messages: [] }, tools, model, room)
    return conversation <= contextTokens && conversation + rest <= room
  }

  let tokens = Math.min(contextTokens, room)
  let before = Infinity
  for (let left = TRIES; ; left--) {
    const prompt = buildPrompt(state, {
      ...(systemPrompt && { systemPrompt }),
      ...(instructions !== '' && { instructions }),
      limits: { messages: historyMessages, tokens },
      tools: tools.length > 0,
      from: state.shownFrom.get(model.key),
    })
    // The cut goes by a guess. Only where that might be wrong is it worth counting, and only what changed.
    const most = mostPromptTokens(prompt, tools)
    if (left === 0 || most <= Math.min(room, contextTokens)) return prompt
    if (most < before && (await fits(prompt))) return prompt
    before = most
    tokens = Math.floor(tokens / 2)
  }
}

/** The model of a round or session. One that cannot be used any more says so when it is called. */
export function modelNamed(key: string, hands: Pick<Hands, 'model'>): Model {
  return lookUp(key, hands, (why) => unusableModel(key, why))
}

export function usableModel(key: string, hands: Pick<Hands, 'model'>): Model | undefined {
  return lookUp(key, hands, () => undefined)
}

function lookUp<Other>(key: string, hands: Pick<Hands, 'model'>, otherwise: (why: Problem) => Other): Model | Other {
  try {
    return hands.model(key)
  } catch (error) {
    if (error instanceof Problem) return otherwise(error)
    throw error
  }
}
