import { CHARS_PER_TOKEN } from '../lib/token-guess.ts'
import { hiddenUpTo, seqOf, type Exchange, type History } from '../session/index.ts'

export interface CutLimits {
  /** user texts, assistant messages and tool results */
  readonly messages: number
  readonly tokens: number
}

export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN)

export function isOver(messages: number, chars: number, limits: CutLimits): boolean {
  return messages > limits.messages || tokensOf(chars) > limits.tokens
}

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

/** The index of the first exchange that is kept in memory: one more than can be shown. */
export function firstKept(exchanges: readonly Exchange[], limits: CutLimits): number {
  let messages = 0
  let chars = 0
  const first = exchanges.findLastIndex((exchange) => {
    messages += exchange.sizes.length
    chars += exchange.chars
    return isOver(messages, chars, limits)
  })
  return Math.max(0, first)
}

/** Drops exchanges that a summary stands for, and those before all that can be shown. */
export function forgetUnshown(history: History, limits: CutLimits): void {
  const { exchanges, results } = history
  const after = hiddenUpTo(history)
  const first = firstKept(exchanges, limits)
  const open = exchanges.findIndex((exchange) => seqOf(exchange) > after)
  const hidden = after === 0 ? 0 : open < 0 ? exchanges.length : open
  const gone = exchanges.splice(0, Math.max(first, hidden))
  history.forgotten = Math.max(history.forgotten, seqOf(gone.at(-1)))
  for (const { said } of gone)
    for (const one of said)
      if ('parts' in one) for (const part of one.parts) if (part.type === 'tool_use') results.delete(part.id)
}
