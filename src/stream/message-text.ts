import type { AssistantPart } from '../contract/message.ts'

/** What a message says to the user. */
export const messageText = (parts: readonly AssistantPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
