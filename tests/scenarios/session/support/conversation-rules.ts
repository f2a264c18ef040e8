import { expect } from 'vitest'
import type { Message } from '../../../../src/contract/message.ts'

/** What every provider demands: the user begins, roles alternate, every use is answered by the very next message. */
export function expectWellFormed(messages: readonly Message[]): void {
  messages.forEach((message, i) => {
    expect(message.role).toBe(i % 2 === 0 ? 'user' : 'assistant')
    expect(message.content.length).toBeGreaterThan(0)
    const next = messages[i + 1]
    const uses = message.content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []))
    const answers = next?.content.flatMap((part) => (part.type === 'tool_result' ? [part.tool_use_id] : [])) ?? []
    expect(answers).toEqual(uses)
  })
}
