import type { GovernedPrompt } from '../../../src/contract/governed-prompt.ts'
import { may } from './may.ts'
import { useMe } from './me.ts'
import { usePolled } from './polled.ts'

const SELDOM_MS = 600_000

/** What a system prompt is called and who approved it, if the user may know. `null`: nothing is read. */
export function useGovernedPrompt(
  id: string | null,
): Pick<GovernedPrompt, 'name' | 'version' | 'reviewer' | 'selfApproved'> | undefined {
  const mayRead = may(useMe(), 'prompt:read')
  const path = id === null || !mayRead ? null : `/api/prompts/${encodeURIComponent(id)}`
  return usePolled<GovernedPrompt>(path, SELDOM_MS).value
}
