import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { StopReason } from '../../contract/event.ts'
import type { Usage } from '../../contract/message.ts'

/**
 * Why a stream ended; null if it did not come to its proper end. Provider packages close a stream that was cut with a
 * finish of their own making: what no provider said has no raw reason.
 */
export function stopReasonOf({ unified, raw }: LanguageModelV4FinishReason): StopReason | null {
  switch (unified) {
    case 'stop':
      return 'end_turn'
    case 'other':
      return raw === undefined ? null : 'end_turn'
    case 'tool-calls':
      return 'tool_use'
    case 'length':
      return 'max_tokens'
    case 'content-filter':
      return 'content_filter'
    case 'error':
    case 'interrupted':
      return null
  }
}

export function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null
  const reasoning = outputTokens.reasoning ?? 0
  return {
    input: inputTokens.total,
    // Thoughts are part of what was said; a provider that tells more of them than of the whole counts them apart.
    output: reasoning > outputTokens.total ? outputTokens.total + reasoning : outputTokens.total,
    ...(inputTokens.cacheRead && { cachedRead: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite && { cachedWrite: inputTokens.cacheWrite }),
    ...(reasoning > 0 && { reasoning }),
  }
}
