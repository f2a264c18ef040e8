import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

export interface Asked {
  /** the last text of the last user message that has any */
  readonly message: string
  /** which model call of the round this is, from 1 */
  readonly call: number
}

/** The caller's count wins: a retry is a call, and a round may be rendered without its assistant messages. */
export function readPrompt(options: LanguageModelV4CallOptions): Asked {
  const told = options.providerOptions?.['segno']?.['call']
  let answered = 0
  let message = ''
  for (let at = options.prompt.length - 1; at >= 0; at--) {
    const each = options.prompt[at]
    if (each?.role === 'assistant') answered++
    const text = each?.role === 'user' ? each.content.findLast((part) => part.type === 'text')?.text : undefined
    if (text === undefined) continue
    message = text
    break
  }
  return { message, call: isCount(told) ? told : answered + 1 }
}

/** Characters of all text, tool arguments and tool output; what is not text (files) is left out. */
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

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1
}
