import { isDict, textOf, type Dict } from '../support/strict-provider/values.ts'
import { readAnthropic } from './contents/anthropic.ts'
import { readChat } from './contents/chat.ts'
import type { ReadContents } from './contents/contents.ts'
import { readGoogle } from './contents/google.ts'
import { readResponses } from './contents/responses.ts'

/** The formats in which providers stream. */
export type Shape = 'anthropic' | 'responses' | 'chat' | 'google'

export const READ: Readonly<Record<Shape, ReadContents>> = {
  anthropic: readAnthropic,
  responses: readResponses,
  chat: readChat,
  google: readGoogle,
}

const WORDS: Readonly<Record<string, Shape>> = {
  anthropic: 'anthropic',
  openai: 'chat',
  deepseek: 'chat',
  xai: 'chat',
  google: 'google',
}

/** What the chunks say counts; the first word of the name only where they say nothing. */
export function shapeOf(word: string, chunks: readonly Dict[]): Shape | undefined {
  for (const chunk of chunks) {
    const shape = shapeOfChunk(chunk)
    if (shape) return shape
  }
  return chunks.some((chunk) => 'error' in chunk) ? (WORDS[word] ?? 'chat') : undefined
}

const ANTHROPIC = /^(?:message_|content_block_|ping$)/

function shapeOfChunk(chunk: Dict): Shape | undefined {
  const type = textOf(chunk['type'])
  if (type.startsWith('response.')) return 'responses'
  if (ANTHROPIC.test(type)) return 'anthropic'
  if (type === 'error') return 'sequence_number' in chunk || 'message' in chunk ? 'responses' : 'anthropic'
  if ('choices' in chunk) return 'chat'
  if ('candidates' in chunk || 'usageMetadata' in chunk || 'promptFeedback' in chunk) return 'google'
  return isDict(chunk['error']) && typeof chunk['error']['status'] === 'string' ? 'google' : undefined
}

const OWN_NAMES: ReadonlySet<string> = new Set(['deepseek', 'openrouter', 'xai', 'mistral', 'groq', 'kimi'])

/** What Segno calls the provider that is reached in this way. */
export function providerOf(word: string, shape: Shape): string {
  switch (shape) {
    case 'anthropic':
    case 'google':
      return shape
    case 'responses':
      return 'openai'
    case 'chat':
      return word === 'openai' ? 'openai-chat' : OWN_NAMES.has(word) ? word : 'openai-compatible'
  }
}

const USUAL: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-5.4',
  'openai-chat': 'gpt-4.1',
  deepseek: 'deepseek-v4-flash',
  google: 'gemini-3.1-pro-preview',
  'openai-compatible': 'some-model',
}

/** The model that was recorded, for what it is sent depends on it. */
export function modelOf(provider: string, chunks: readonly Dict[]): string {
  for (const chunk of chunks) {
    const inner = [chunk, chunk['message'], chunk['response']].filter(isDict)
    const model = inner.map((one) => textOf(one['model']) || textOf(one['modelVersion'])).find((name) => name !== '')
    if (model !== undefined) return model
  }
  return USUAL[provider] ?? 'some-model'
}
