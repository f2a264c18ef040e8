import type { Message } from '../contract/message.ts'
import { tokensOf } from './cut.ts'
import { closingOf } from './untrusted.ts'

const KEPT = 500

/**
 * One round can be larger than the window. Then the oldest results are shortened, marked, until the rest fits: the
 * last user message and every pair of use and result stay. `notes` are the results of a round that shows them as text.
 */
export function shortenOldest(
  messages: Message[],
  notes: readonly string[],
  tokens: number,
): { messages: Message[]; notes: readonly string[] } {
  let over = messages.reduce((sum, message) => sum + charsOf(message), 0)
  for (const note of notes) over += note.length
  if (tokensOf(over) <= tokens) return { messages, notes }

  function shortened(text: string): string {
    if (tokensOf(over) <= tokens) return text
    const short = shorten(text)
    if (short.length >= text.length) return text
    over -= text.length - short.length
    return short
  }

  return {
    messages: messages.map((message) => {
      if (message.role !== 'user') return message
      const content = message.content.map((part) =>
        part.type === 'tool_result' ? { ...part, content: shortened(part.content) } : part,
      )
      return { ...message, content }
    }),
    notes: notes.map(shortened),
  }
}

/** What is marked as coming from outside stays marked to its end. */
function shorten(text: string): string {
  const closing = closingOf(text)
  const kept = text.slice(0, KEPT).toWellFormed()
  return `${kept}\n[… ${text.length - closing.length - KEPT} characters of this older result left out]${closing}`
}

function charsOf(message: Message): number {
  let chars = 0
  for (const part of message.content) {
    if (part.type === 'tool_result') chars += part.content.length
    else if (part.type === 'tool_use') chars += part.name.length + 100
    else chars += part.text.length
  }
  return chars
}
