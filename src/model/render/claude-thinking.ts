import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Effort } from '../../contract/model-params.ts'

/** From Claude 4.6 on models choose their reasoning budget themselves. */
const isAdaptive = (modelId: string): boolean =>
  modelId.includes('claude-') && !/claude-(?:instant|v?2|3|(?:sonnet|opus|haiku)-4(?!-[6-9]))/.test(modelId)

const SHARES: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0.1,
  low: 0.2,
  medium: 0.4,
  high: 0.6,
  xhigh: 0.7,
  max: 0.8,
}
/** Claude's minimum, and as much again is needed to answer. */
const FEWEST_THOUGHTS = 1024

function shareOf(effort: Effort, maxOutput: number): number {
  if (maxOutput < 2 * FEWEST_THOUGHTS) return 0
  return Math.max(FEWEST_THOUGHTS, Math.floor(maxOutput * SHARES[effort]))
}

/** From Claude 5 on models think unless they are told not to. */
const thinksByItself = (modelId: string): boolean => /claude-[a-z]+-[5-9]/.test(modelId)

/** Whether a model thinks with this effort; `always`: whatever the effort. */
export function claudeThinks(modelId: string, effort: Effort | undefined): boolean | 'always' {
  if (/claude-(?:(?:sonnet|opus)-5-5|fable-5)/.test(modelId)) return 'always'
  return effort === undefined ? thinksByItself(modelId) : effort !== 'none'
}

/** The reasoning budget of a model that does not choose it itself. */
export const claudeThoughtTokens = (modelId: string, effort: Effort, maxOutput: number): number | undefined =>
  effort === 'none' || isAdaptive(modelId) ? undefined : shareOf(effort, maxOutput)

export function claudeOptions(
  modelId: string,
  effort: Effort | undefined,
  tokens: number | undefined,
): SharedV4ProviderOptions {
  if (tokens !== undefined)
    return { anthropic: { thinking: tokens > 0 ? { type: 'enabled', budgetTokens: tokens } : { type: 'disabled' } } }
  return effort !== 'none' && thinksByItself(modelId) ? { anthropic: { thinking: thinking(modelId) } } : {}
}

/**
 * Asks for summaries, because reasoning is otherwise invisible for minutes. Some models bind reasoning to the exact
 * prompt before it and must be told to drop it after a change.
 */
function thinking(modelId: string) {
  const isBound = /claude-(?:(?:sonnet|opus)-5-5|fable-5-[12])/.test(modelId)
  return {
    type: 'adaptive',
    display: 'summarized',
    ...(isBound && { blockBinding: { prefixMismatchBehavior: 'drop_block' } }),
  }
}
