import type { AssistantPart, MadeFile, Message } from '../../../src/contract/message.ts'
import type { AnthropicBlock, AnthropicMessage } from './anthropic.ts'

/** Our messages as the Messages API wants them; nothing is repaired on the way. */
export function toAnthropic(messages: readonly Message[]): AnthropicMessage[] {
  return messages.map((message) => ({
    role: message.role,
    content: message.role === 'user' ? message.content.map(userBlockOf) : message.content.flatMap(blockOf),
  }))
}

/** Whether a file becomes a picture or words is for rendering to say. */
function userBlockOf(part: Extract<Message, { role: 'user' }>['content'][number]): AnthropicBlock {
  return part.type === 'file' ? { type: 'text', text: `[${part.mediaType}]` } : { ...part }
}

/** Reasoning goes back only with the signature it came with. */
function blockOf(part: AssistantPart | MadeFile): AnthropicBlock[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'reasoning': {
      const signature = (part.meta?.data as { anthropic?: { signature?: string } } | undefined)?.anthropic?.signature
      return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }]
    }
    case 'file':
      return [{ type: 'text', text: `[${part.mediaType}]` }]
    case 'tool_use':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: part.input }]
  }
}
