import { CHARS_PER_TOKEN } from '../lib/token-guess.ts'
import type { Exchange, History } from '../session/index.ts'

export interface CutLimits {
  /** user texts, assistant messages and tool results */
  readonly messages: number
  readonly tokens: number
}

export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN)

export function isOver(messages: number, chars: number, limits: CutLimits): boolean {
  return messages > limits.messages || tokensOf(chars) > limits.tokens
}

/** The event number an exchange begins at; 0 if it has no user message. */
export const seqOf = (exchange: Exchange | undefined): number => exchange?.user?.seq ?? 0

/**
 * The index of the first exchange the model still sees. It stays at `from`, so that provider caches hold, until a limit
 * is exceeded; then it is cut to about half.
 */
export function cutExchanges(exchanges: readonly Exchange[], limits: CutLimits, from = 0): number {
  const last = Math.max(0, exchanges.length - 1)
  let half = last
  let messages = 0
  let chars = 0
  let start = exchanges.length
  for (; start > 0 && seqOf(exchanges[start - 1]) >= from; start--) {
    const isHalf = messages >= limits.messages / 2 || tokensOf(chars) >= limits.tokens / 2
    const exchange = exchanges[start - 1] as Exchange
    messages += exchange.sizes.length
    chars += exchange.chars
    if (isOver(messages, chars, limits)) return half
    if (!isHalf) half = start - 1
  }
  return Math.min(start, last)
}

/** Drops exchanges before all that can be shown. */
export function forgetUnshown({ exchanges, results }: History, limits: CutLimits): void {
  let messages = 0
  let chars = 0
  const first = exchanges.findLastIndex((exchange) => {
    messages += exchange.sizes.length
    chars += exchange.chars
    return isOver(messages, chars, limits)
  })
  for (const { said } of first > 0 ? exchanges.splice(0, first) : [])
    for (const { parts } of said) for (const part of parts) if (part.type === 'tool_use') results.delete(part.id)
}
