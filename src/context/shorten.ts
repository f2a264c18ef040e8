import type { Message, ToolResultPart } from '../contract/message.ts'
import { tokensOf } from './cut.ts'

const KEPT = 500

/**
 * One round can be larger than the window. Then the oldest results are shortened, marked, until the rest fits: the
 * last user message and every pair of use and result stay.
 */
export function shortenOldest(messages: Message[], tokens: number): Message[] {
  let over = messages.reduce((sum, message) => sum + charsOf(message), 0)
  if (tokensOf(over) <= tokens) return messages
  return messages.map((message) => {
    if (message.role !== 'user' || tokensOf(over) <= tokens) return message
    const content = message.content.map((part) => {
      if (part.type !== 'tool_result' || tokensOf(over) <= tokens || part.content.length <= KEPT) return part
      const short = shorten(part)
      over -= part.content.length - short.content.length
      return short
    })
    return { ...message, content }
  })
}

function shorten(part: ToolResultPart): ToolResultPart {
  const kept = part.content.slice(0, KEPT).toWellFormed()
  return { ...part, content: `${kept}\n[… ${part.content.length - KEPT} characters of this older result left out]` }
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
