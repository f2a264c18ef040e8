import type { StopReason } from '../../contract/outcome.ts'
import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '../../contract/message.ts'
import { isIntegerFrom } from '../../lib/type-guards.ts'

const REASONS: Readonly<Record<LanguageModelV4FinishReason['unified'], StopReason | null>> = {
  stop: 'end_turn',
  other: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'content_filter',
  error: null,
  interrupted: null,
}

/**
 * Why a stream ended, null if it did not end properly: provider packages finish a cut stream themselves, without a raw
 * reason.
 */
export function stopReasonOf({ unified, raw }: LanguageModelV4FinishReason): StopReason | null {
  return unified === 'other' && raw === undefined ? null : REASONS[unified]
}

/** More than any call can have used. */
const MOST_TOKENS = 1_000_000_000

const areTokens = (value: number | undefined): boolean => isIntegerFrom(value, 0) && value <= MOST_TOKENS

/** Null if it is not told, or cannot be true: what is counted from it must never give a budget back. */
export function usageOf({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage | null {
  const { total: input, cacheRead = 0, cacheWrite = 0 } = inputTokens
  const { total: output, reasoning = 0 } = outputTokens
  if (input === undefined || output === undefined) return null
  if (![input, output, reasoning, cacheRead, cacheWrite].every(areTokens)) return null
  // Reasoning is part of the output, but for providers whose total says otherwise, or that report more of it.
  const isSeparate = reasoning > output || (reasoning > 0 && raw?.['total_tokens'] === input + output + reasoning)
  return {
    input,
    output: isSeparate ? output + reasoning : output,
    ...(cacheRead > 0 && { cachedRead: cacheRead }),
    ...(cacheWrite > 0 && { cachedWrite: cacheWrite }),
    ...(reasoning > 0 && { reasoning }),
  }
}
