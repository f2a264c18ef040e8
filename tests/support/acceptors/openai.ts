/** A message as the Chat Completions API takes it in `messages`. */
export type OpenAiMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly OpenAiCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly tool_call_id: string }

export interface OpenAiCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/**
 * What the OpenAI Chat Completions API would refuse about a conversation, or nothing. Written from the published
 * rules, as a reader that goes through the list once and knows which calls still wait for their tool message.
 */
export function openAiFault(messages: readonly OpenAiMessage[]): string | undefined {
  if (messages.length === 0) return 'messages is empty'
  const seen = new Set<string>()
  const waiting = new Set<string>()
  for (let i = 0; i < messages.length; i += 1) {
    const message = messages[i] as OpenAiMessage
    const where = `messages[${i}]`
    if (message.role === 'tool') {
      if (!waiting.delete(message.tool_call_id)) {
        return `${where}: a tool message must answer a call of the assistant message before it`
      }
      if (typeof message.content !== 'string') return `${where}: a tool message needs content`
      continue
    }
    if (waiting.size > 0) return `${where}: calls without their tool message: ${[...waiting].join()}`
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    if (message.role === 'assistant' && message.tool_calls?.length === 0) return `${where}: tool_calls is empty`
    if ((message.content ?? '') === '' && calls.length === 0) return `${where}: content is required`
    for (const call of calls) {
      const wrong = callFault(call, seen)
      if (wrong !== undefined) return `${where}: ${wrong}`
      seen.add(call.id)
      waiting.add(call.id)
    }
  }
  return waiting.size > 0 ? `calls without their tool message: ${[...waiting].join()}` : undefined
}

function callFault(call: OpenAiCall, seen: ReadonlySet<string>): string | undefined {
  if (typeof call.id !== 'string' || call.id === '') return 'a call needs an id'
  if (seen.has(call.id)) return `the call id ${call.id} was used before`
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)) return `${call.function.name} is not a function name`
  let parsed: unknown
  try {
    parsed = JSON.parse(call.function.arguments)
  } catch {
    return `the arguments of ${call.id} are not JSON`
  }
  return Object.prototype.toString.call(parsed) === '[object Object]'
    ? undefined
    : `the arguments of ${call.id} are not a JSON object`
}
