import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { AssistantPart, Message, ToolResultPart } from '../contract/message.ts'
import type { Prompt } from '../contract/prompt.ts'
import type { JsonSchema } from '../contract/tool.ts'

/** A tool as the model is told of it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly jsonSchema: JsonSchema
}

export interface ModelRequest {
  readonly prompt: Prompt
  readonly tools: readonly OfferedTool[]
  /** false in the last call of a round: tools are described, so that old calls make sense, but may not be used */
  readonly mayUseTools: boolean
  readonly requestId: string
}

/** Our prompt as the provider interface wants it. `call` is the number of this model call in its round. */
export function render(request: ModelRequest, call: number, signal: AbortSignal): LanguageModelV4CallOptions {
  const { tools, prompt } = request
  const layers = prompt.layers.map((layer): LanguageModelV4Message => ({ role: 'system', content: layer.text }))
  return {
    prompt: [...layers, ...renderMessages(prompt.messages)],
    ...(tools.length > 0 && {
      tools: once(tools, () =>
        tools.map((tool) => ({
          type: 'function' as const,
          name: tool.name,
          description: tool.description,
          inputSchema: tool.jsonSchema,
        })),
      ),
      toolChoice: { type: request.mayUseTools ? ('auto' as const) : ('none' as const) },
    }),
    abortSignal: signal,
    providerOptions: { segno: { requestId: request.requestId, call } },
  }
}

function renderMessages(messages: readonly Message[]): LanguageModelV4Prompt {
  const names = new Map<string, string>()
  return messages.flatMap((message) => {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool_use') names.set(part.id, part.name)
    }
    return once(message.content, () => renderMessage(message, names))
  })
}

const rendered = new WeakMap<object, unknown>()

/** What does not change from turn to turn is rendered once: a message by its parts, tools by their list. */
function once<T>(key: object, render: () => T): T {
  let found = rendered.get(key) as T | undefined
  if (found === undefined) rendered.set(key, (found = render()))
  return found
}

function renderMessage(message: Message, names: ReadonlyMap<string, string>): LanguageModelV4Message[] {
  if (message.role === 'assistant') return [{ role: 'assistant', content: message.content.map(renderPart) }]
  const results = message.content.filter((part) => part.type === 'tool_result')
  const texts = message.content.filter((part) => part.type === 'text')
  return [
    ...(results.length > 0
      ? [{ role: 'tool' as const, content: results.map((part) => renderResult(part, names)) }]
      : []),
    ...(texts.length > 0
      ? [{ role: 'user' as const, content: texts.map((part) => ({ type: 'text' as const, text: part.text })) }]
      : []),
  ]
}

function renderResult(part: ToolResultPart, names: ReadonlyMap<string, string>) {
  return {
    type: 'tool-result' as const,
    toolCallId: part.tool_use_id,
    toolName: names.get(part.tool_use_id) ?? '',
    output: { type: part.is_error ? ('error-text' as const) : ('text' as const), value: part.content },
  }
}

function renderPart(part: AssistantPart) {
  switch (part.type) {
    case 'text':
      return { type: 'text' as const, text: part.text }
    case 'reasoning':
      return { type: 'reasoning' as const, text: part.text }
    case 'tool_use':
      return { type: 'tool-call' as const, toolCallId: part.id, toolName: part.name, input: part.input }
  }
}
