import { buildPrompt } from '../context/index.ts'
import type { Prompt } from '../contract/prompt.ts'
import { mostPromptTokens, promptTokens, type Model } from '../model/index.ts'
import type { SessionState } from '../session/index.ts'
import type { RegisteredTool } from '../tool/index.ts'
import type { Hands } from './hands.ts'

/** Of a model's window, what it is asked may fill this much. */
const INPUT_SHARE = 0.8
const TRIES = 4

/** What a model would be called with, as things stand: as much of the conversation as fits its window. */
export async function promptFor(
  state: SessionState,
  hands: Pick<Hands, 'settings' | 'workspace'>,
  tools: readonly RegisteredTool[],
  model: Pick<Model, 'provider' | 'window' | 'maxOutput'>,
  cut: { start: number },
): Promise<Prompt> {
  const { systemPrompt, historyMessages, contextTokens } = hands.settings
  const { instructions } = await hands.workspace(state.actor.tenant, state.workspaceId)
  const room = Math.min(Math.floor(model.window * INPUT_SHARE), model.window - model.maxOutput)
  let tokens = Math.min(contextTokens, room)
  for (let left = TRIES; ; left--) {
    const prompt = buildPrompt(state, {
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(instructions !== '' && { instructions }),
      limits: { messages: historyMessages, tokens },
      tools: tools.length > 0,
      cut,
    })
    // The cut goes by a guess. Only where that might be wrong is it worth counting.
    if (left === 0 || mostPromptTokens(prompt, tools) <= Math.min(room, contextTokens)) return prompt
    const conversation = await promptTokens({ ...prompt, layers: [] }, [], model)
    const rest = await promptTokens({ ...prompt, messages: [] }, tools, model)
    if (conversation <= contextTokens && conversation + rest <= room) return prompt
    tokens = Math.floor(tokens / 2)
  }
}
