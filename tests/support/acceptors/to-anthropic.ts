import type { AssistantPart, Message } from '../../../src/contract/message.ts'
import type { AnthropicBlock, AnthropicMessage } from './anthropic.ts'

/** Our messages as the Messages API wants them; nothing is repaired on the way. */
export function toAnthropic(messages: readonly Message[]): AnthropicMessage[] {
  return messages.map((message) => ({
    role: message.role,
    content: message.role === 'user' ? message.content.map((part) => ({ ...part })) : message.content.flatMap(blockOf),
  }))
}

/** Reasoning goes back only with the signature it came with. */
function blockOf(part: AssistantPart): AnthropicBlock[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'reasoning': {
      const signature = (part.meta?.data as { anthropic?: { signature?: string } } | undefined)?.anthropic?.signature
      return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }]
    }
    case 'tool_use':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: part.input }]
  }
}
