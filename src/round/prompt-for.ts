import { buildPrompt } from '../context/index.ts'
import type { Prompt } from '../contract/prompt.ts'
import type { SessionState } from '../session/index.ts'
import type { Hands } from './hands.ts'

/** What a model would be called with, as things stand. */
export async function promptFor(
  state: SessionState,
  hands: Pick<Hands, 'settings' | 'workspace'>,
  tools: boolean,
  cut: { start: number },
): Promise<Prompt> {
  const { systemPrompt, historyMessages, contextTokens } = hands.settings
  const { instructions } = await hands.workspace(state.actor.tenant, state.workspaceId)
  return buildPrompt(state, {
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(instructions !== '' && { instructions }),
    limits: { messages: historyMessages, tokens: contextTokens },
    tools,
    cut,
  })
}
