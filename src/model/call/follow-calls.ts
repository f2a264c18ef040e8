import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { followArgs } from './follow-args.ts'
import { isContent } from './read-part.ts'

type ToolCall = Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>

interface Followed {
  readonly id: string
  readonly name: string
  readonly args: ReturnType<typeof followArgs>
}

/**
 * Finds the first complete call of a stream whose provider ends calls only together with the stream: one whose arguments
 * are one whole JSON object once anything else follows, or whose arguments cannot become one once the next call starts.
 * Blank or half arguments may still go on, because calls can be interleaved.
 */
export function followCalls() {
  const calls = new Map<string, Followed>()
  let last: Followed | undefined

  function isEndedBy(part: LanguageModelV4StreamPart, { id, args }: Followed): boolean {
    if (!isContent(part) || part.type === 'tool-call') return false
    if (part.type === 'tool-input-delta' && part.id === id) return false
    return args.state === 'whole' || (args.state === 'broken' && part.type === 'tool-input-start')
  }

  return {
    /** The call that is complete because of this part; it is always the last one that got anything. */
    endedBy(part: LanguageModelV4StreamPart): ToolCall | undefined {
      if (last && isEndedBy(part, last))
        return { type: 'tool-call', toolCallId: last.id, toolName: last.name, input: last.args.raw }
      if (part.type === 'tool-input-start')
        calls.set(part.id, (last = { id: part.id, name: part.toolName, args: followArgs() }))
      if (part.type === 'tool-input-delta') {
        last = calls.get(part.id) ?? last
        if (last?.id === part.id) last.args.push(part.delta)
      }
      return undefined
    },
  }
}
