import { buildPrompt, type CutLimits } from '../context/index.ts'
import type { Prompt } from '../contract/prompt.ts'
import { Problem } from '../contract/problem.ts'
import type { Workspace } from '../contract/workspace.ts'
import { maxPromptTokens, promptTokens, unusableModel, type Model } from '../model/index.ts'
import type { SessionState } from '../session/index.ts'
import type { RegisteredTool } from '../tool/index.ts'
import type { Deps, Settings } from './deps.ts'

/** How much of a model's window a prompt may fill. */
const INPUT_SHARE = 0.8
const TRIES = 4

export function shownLimits(settings: Pick<Settings, 'historyMessages' | 'contextTokens'>): CutLimits {
  return { messages: settings.historyMessages, tokens: settings.contextTokens }
}

/** The prompt for a model, with as much of the conversation as fits its window. */
export async function promptFor(
  state: SessionState,
  settings: Deps['settings'],
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
    // The cut is an estimate; tokens are counted only if it may be wrong and the prompt has changed.
    const most = maxPromptTokens(prompt, tools)
    if (left === 0 || most <= Math.min(room, contextTokens)) return prompt
    if (most < before && (await fits(prompt))) return prompt
    before = most
    tokens = Math.floor(tokens / 2)
  }
}

/** The model of a round or session; one that can no longer be used fails with its problem when it is called. */
export function modelNamed(key: string, deps: Pick<Deps, 'model'>): Model {
  const model = findModel(key, deps)
  return model instanceof Problem ? unusableModel(key, model) : model
}

export function findModel(key: string, deps: Pick<Deps, 'model'>): Model | Problem {
  try {
    return deps.model(key)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
