import { isObject } from '../../lib/type-guards.ts'
import {
  UnsupportedFunctionalityError,
  type LanguageModelV4FilePart,
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  type LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'

/** A message of `/api/chat`. */
export interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly thinking?: string
  /** base64 */
  readonly images?: string[]
  readonly tool_calls?: { id: string; function: { index: number; name: string; arguments: object } }[]
  readonly tool_name?: string
  readonly tool_call_id?: string
}

type File = Pick<LanguageModelV4FilePart, 'data' | 'mediaType'>

/** Joins all system messages at the top, because most templates print only one of them. */
export function renderMessages(prompt: LanguageModelV4Prompt): OllamaMessage[] {
  const layers = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  return [
    ...(layers.length > 0 ? [{ role: 'system' as const, content: layers.join('\n\n') }] : []),
    ...prompt.flatMap(renderMessage),
  ]
}

function renderMessage(message: LanguageModelV4Message): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [{ role: 'user', ...textAndImages(message.content) }]
    case 'assistant':
      return renderAssistant(message.content)
    case 'tool':
      return message.content.flatMap((part) => (part.type === 'tool-result' ? [renderResult(part)] : []))
  }
}

function renderAssistant(parts: Extract<LanguageModelV4Message, { role: 'assistant' }>['content']): OllamaMessage[] {
  const thinking = joined(parts.filter((part) => part.type === 'reasoning'))
  const content = joined(parts.filter((part) => part.type === 'text'))
  const calls = parts
    .filter((part) => part.type === 'tool-call')
    .map(({ toolCallId: id, toolName: name, input }, index) => ({
      id,
      function: { index, name, arguments: isObject(input) ? input : {} },
    }))
  if (thinking === '' && content === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content,
      ...(thinking !== '' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

function renderResult({ toolCallId, toolName, output }: LanguageModelV4ToolResultPart): OllamaMessage {
  const to = { role: 'tool', tool_name: toolName, tool_call_id: toolCallId } as const
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...to, content: output.value }
    case 'json':
    case 'error-json':
      return { ...to, content: JSON.stringify(output.value) }
    case 'execution-denied':
      return { ...to, content: output.reason ?? 'The call was denied.' }
    case 'content':
      return { ...to, ...textAndImages(output.value.filter((part) => part.type !== 'custom')) }
  }
}

function textAndImages(parts: readonly ({ type: 'text'; text: string } | ({ type: 'file' } & File))[]) {
  const texts: { text: string }[] = []
  const images: string[] = []
  for (const part of parts) {
    if (part.type === 'text') texts.push(part)
    else if (part.data.type === 'text') texts.push(part.data)
    else images.push(imageOf(part))
  }
  return { content: joined(texts), ...(images.length > 0 && { images }) }
}

function imageOf({ data, mediaType }: File): string {
  if (!/^image(\/|$)/.test(mediaType)) throw unsupported(`files of type ${mediaType}`)
  if (data.type !== 'data') throw unsupported('images by address')
  return typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64')
}

function unsupported(what: string): UnsupportedFunctionalityError {
  return new UnsupportedFunctionalityError({ functionality: what, message: `Ollama does not take ${what}.` })
}

const joined = (parts: readonly { text: string }[]): string => parts.map(({ text }) => text).join('\n')
