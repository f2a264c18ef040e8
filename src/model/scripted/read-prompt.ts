import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { PURPOSES, type Purpose } from '../../contract/event.ts'
import { isIntegerFrom } from '../../lib/type-guards.ts'
import { ownWords } from './own-words.ts'

/**
 * What the user said last, without what Segno put before it, and the number of this model call in its round, from 1.
 * The caller's number counts, because retries count too and assistant messages may be missing. `purpose`: what Segno
 * itself asks for.
 */
export function readPrompt(options: LanguageModelV4CallOptions): {
  message: string
  call: number
  purpose: Purpose | undefined
} {
  const { call: given, purpose: asked } = options.providerOptions?.['segno'] ?? {}
  const purpose = PURPOSES.find((one) => one === asked)
  let answered = 0
  let message = ''
  for (let at = options.prompt.length - 1; at >= 0; at--) {
    const each = options.prompt[at]
    if (each?.role === 'assistant') answered++
    const texts = each?.role === 'user' ? each.content.filter((part) => part.type === 'text') : []
    const text = texts.map((part) => (purpose ? part.text : ownWords(part.text))).findLast((own) => own !== undefined)
    if (text === undefined) continue
    message = text
    break
  }
  return { message, call: isIntegerFrom(given, 1) ? given : answered + 1, purpose }
}

/** Characters of all text, tool arguments and tool output, without files. */
export function promptChars(prompt: LanguageModelV4Prompt): number {
  let chars = 0
  for (const message of prompt) chars += messageChars(message)
  return chars
}

function messageChars(message: LanguageModelV4Message): number {
  if (message.role === 'system') return message.content.length
  let chars = 0
  for (const part of message.content) {
    if (part.type === 'text' || part.type === 'reasoning') chars += part.text.length
    else if (part.type === 'tool-call') chars += part.toolName.length + valueChars(part.input)
    else if (part.type === 'tool-result') chars += 'value' in part.output ? valueChars(part.output.value) : 0
  }
  return chars
}

function valueChars(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let chars = 0
  for (const [key, each] of Object.entries(value)) chars += (Array.isArray(value) ? 0 : key.length) + valueChars(each)
  return chars
}
