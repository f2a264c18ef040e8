import { buildPrompt } from '../context/index.ts'
import type { Prompt } from '../contract/prompt.ts'
import type { SessionState } from '../session/index.ts'
import type { Model } from '../model/index.ts'
import type { RegisteredTool } from '../tool/index.ts'
import type { Hands } from './hands.ts'

/** Of a model's window, what it is asked may fill this much. */
const INPUT_SHARE = 0.8

/** What a model would be called with, as things stand. */
export async function promptFor(
  state: SessionState,
  hands: Pick<Hands, 'settings' | 'workspace'>,
  tools: readonly RegisteredTool[],
  { window, maxOutput }: Pick<Model, 'window' | 'maxOutput'>,
  cut: { start: number },
): Promise<Prompt> {
  const { systemPrompt, historyMessages, contextTokens } = hands.settings
  const { instructions } = await hands.workspace(state.actor.tenant, state.workspaceId)
  return buildPrompt(state, {
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(instructions !== '' && { instructions }),
    limits: { messages: historyMessages, tokens: contextTokens },
    tools: tools.length > 0,
    cut,
  })
}
