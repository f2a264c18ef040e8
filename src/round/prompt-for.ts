import { buildPrompt } from '../context/index.ts'
import type { Prompt } from '../contract/prompt.ts'
import type { Workspace } from '../contract/workspace.ts'
import { mostPromptTokens, promptTokens, type Model } from '../model/index.ts'
import type { SessionState } from '../session/index.ts'
import type { RegisteredTool } from '../tool/index.ts'
import type { Hands } from './hands.ts'

/** Of a model's window, what it is asked may fill this much. */
const INPUT_SHARE = 0.8
const TRIES = 4

/** Where a conversation is cut, by the tokens of it that are shown. */
export type Cuts = Map<number, { start: number }>

/** What a model would be called with, as things stand: as much of the conversation as fits its window. */
export async function promptFor(
  state: SessionState,
  settings: Hands['settings'],
  { instructions }: Pick<Workspace, 'instructions'>,
  tools: readonly RegisteredTool[],
  model: Pick<Model, 'provider' | 'window' | 'maxOutput'>,
  cuts: Cuts,
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
      cut: cutOf(cuts, tokens),
    })
    // The cut goes by a guess. Only where that might be wrong is it worth counting, and only what changed.
    const most = mostPromptTokens(prompt, tools)
    if (left === 0 || most <= Math.min(room, contextTokens)) return prompt
    if (most < before && (await fits(prompt))) return prompt
    before = most
    tokens = Math.floor(tokens / 2)
  }
}

/** A conversation is cut where it was cut before; for a model that sees less that is elsewhere. */
function cutOf(cuts: Cuts, tokens: number): { start: number } {
  let cut = cuts.get(tokens)
  if (!cut) cuts.set(tokens, (cut = { start: 0 }))
  return cut
}
