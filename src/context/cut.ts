import { CHARS_PER_TOKEN } from '../lib/token-guess.ts'
import type { Exchange } from '../session/index.ts'

export interface CutLimits {
  /** user texts, assistant messages and tool results */
  readonly messages: number
  readonly tokens: number
}

export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN)

/**
 * The index of the first exchange the model still sees. When the list is over a limit it is cut to about half, and
 * that cut stays until it is over again, so that the beginning of the prompt (and a provider's cache of it) holds.
 * `from` is the cut so far; walking on from it gives the same answer as walking from the start, because messages are
 * counted one by one, as they came.
 */
export function cutExchanges(exchanges: readonly Exchange[], limits: CutLimits, from = 0): number {
  let start = Math.min(from, Math.max(0, exchanges.length - 1))
  let messages = 0
  let chars = 0
  for (let i = start; i < exchanges.length; i++) {
    const exchange = exchanges[i] as Exchange
    for (const size of exchange.sizes) {
      messages += 1
      chars += size
      if (messages <= limits.messages && tokensOf(chars) <= limits.tokens) continue
      while (start < i && (messages > limits.messages / 2 || tokensOf(chars) > limits.tokens / 2)) {
        const dropped = exchanges[start] as Exchange
        messages -= dropped.sizes.length
        chars -= dropped.chars
        start += 1
      }
    }
  }
  return start
}
