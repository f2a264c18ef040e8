import type { StopReason } from '../../contract/outcome.ts'
import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '../../contract/message.ts'

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

export function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null
  const reasoning = outputTokens.reasoning ?? 0
  return {
    input: inputTokens.total,
    // Reasoning is part of the output; a provider that reports more of it than output counts it separately.
    output: reasoning > outputTokens.total ? outputTokens.total + reasoning : outputTokens.total,
    ...(inputTokens.cacheRead && { cachedRead: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite && { cachedWrite: inputTokens.cacheWrite }),
    ...(reasoning > 0 && { reasoning }),
  }
}
