import type { Message } from '../../../src/contract/message.ts'
import type { OpenAiMessage } from './openai.ts'

/** Our messages as the Chat Completions API wants them: results become messages of their own. Nothing is repaired. */
export function toOpenAi(messages: readonly Message[]): OpenAiMessage[] {
  const list: OpenAiMessage[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      const text = message.content.filter((part) => part.type === 'text').map((part) => part.text)
      const uses = message.content.filter((part) => part.type === 'tool_use')
      list.push({
        role: 'assistant',
        content: text.length > 0 ? text.join('\n') : null,
        ...(uses.length > 0 && {
          tool_calls: uses.map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        }),
      })
      continue
    }
    // In the order they stand in, so that a text before a result is seen for the mistake it is.
    for (const part of message.content) {
      const last = list.at(-1)
      const text = part.type === 'text' ? part.text : '[file]'
      if (part.type === 'tool_result')
        list.push({ role: 'tool', tool_call_id: part.tool_use_id, content: part.content })
      else if (last?.role === 'user') list[list.length - 1] = { role: 'user', content: `${last.content}\n${text}` }
      else list.push({ role: 'user', content: text })
    }
  }
  return list
}
