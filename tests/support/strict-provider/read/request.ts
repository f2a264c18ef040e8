import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Dict } from '../values.ts'

/** What the scripted model needs of a request: who spoke, and what. */
export type Read = (body: Dict) => LanguageModelV4Prompt

type Spoken = LanguageModelV4Prompt[number]

export const system = (text: string): Spoken => ({ role: 'system', content: text })
export const user = (...texts: string[]): Spoken => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
})
export const assistant = (...texts: string[]): Spoken => ({
  role: 'assistant',
  content: texts.map((text) => ({ type: 'text', text })),
})
/** Results, of which only the length matters. */
export const results = (...texts: string[]): Spoken => ({
  role: 'tool',
  content: texts.map((value) => ({
    type: 'tool-result',
    toolCallId: '',
    toolName: '',
    output: { type: 'text', value },
  })),
})
