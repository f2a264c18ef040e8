import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider'

/** A provider looks for what it knows in so many blocks before a mark. */
const LOOKBACK = 20

/**
 * Marks for the provider's cache where the request before ended, as far as this one begins with it, and where the next
 * one will still be the same. The notes of a triggered round have a mark of their own.
 */
export function markStable(
  messages: LanguageModelV4Prompt,
  asked: number,
  hasNotes: boolean,
  mark: SharedV4ProviderOptions | undefined,
): LanguageModelV4Prompt {
  if (!mark) return messages
  const points = stablePoints(messages, asked, hasNotes)
  return messages.map((message, at) => (points.includes(at) ? { ...message, providerOptions: mark } : message))
}

function stablePoints(messages: LanguageModelV4Prompt, asked: number, hasNotes: boolean): number[] {
  const end = messages.length - 1
  if (asked < end) return [messages.findLastIndex(({ role }) => role === 'assistant') - 1, end]
  if (hasNotes) return [asked - 1]
  // A triggered round was sent as notes, so what is known may end where it began.
  const askedBefore = messages.slice(0, asked).findLastIndex(({ role }) => role === 'user')
  const since = messages.slice(askedBefore, asked).reduce((sum, { content }) => sum + content.length, 0)
  return since < LOOKBACK ? [asked - 1, end] : [askedBefore - 1, asked - 1]
}
