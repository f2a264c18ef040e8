import { encodeAnthropic } from '../strict-provider/encode/anthropic.ts'
import { encodeChat } from '../strict-provider/encode/chat.ts'
import type { CreateEncoder } from '../strict-provider/encode/encoder.ts'
import { DEEPSEEK, OPENAI } from '../strict-provider/encode/manners.ts'
import { encodeResponses } from '../strict-provider/encode/responses.ts'
import { anthropicError, openAiError } from '../strict-provider/errors.ts'
import { encodeGoogle, googleError } from './encode-google.ts'
import { encodeOllama } from './encode-ollama.ts'

export const WIRE_NAMES = [
  'anthropic',
  'openai',
  'openai-chat',
  'deepseek',
  'openai-compatible',
  'google',
  'ollama',
] as const
export type WireName = (typeof WIRE_NAMES)[number]

/** A format in which a provider is spoken to, as the faulty provider speaks it. */
export interface Wire {
  readonly name: WireName
  /** what Segno calls the model that is reached in it */
  readonly model: string
  readonly path: RegExp
  readonly contentType: string
  readonly encoder: CreateEncoder
  /** what it answers when it has too much to do */
  readonly overloaded: number
  /** an error as this provider words it */
  error(status: number, message: string, code?: string): object
  /** Does it show thoughts? */
  readonly thinks: boolean
  /** Do arguments come in pieces? */
  readonly argsInPieces: boolean
  /** Does it say that a call is complete before the answer is? */
  readonly endsCalls: boolean
}

const EVENTS = 'text/event-stream; charset=utf-8'
const openAi = (status: number, message: string, code?: string): object =>
  openAiError(status, { message, ...(code !== undefined && { code }) })

export const WIRES: { readonly [name in WireName]: Wire } = {
  anthropic: {
    name: 'anthropic',
    model: 'claude-haiku-4.5',
    path: /^\/anthropic\/v1\/messages$/,
    contentType: EVENTS,
    encoder: encodeAnthropic,
    overloaded: 529,
    error: (status, message) => anthropicError(status, message, '1'),
    thinks: true,
    argsInPieces: true,
    endsCalls: true,
  },
  openai: {
    name: 'openai',
    model: 'gpt-4.1',
    path: /^\/openai\/v1\/responses$/,
    contentType: EVENTS,
    encoder: encodeResponses,
    overloaded: 503,
    error: openAi,
    thinks: true,
    argsInPieces: true,
    endsCalls: true,
  },
  'openai-chat': {
    name: 'openai-chat',
    model: 'openai-chat:gpt-4.1',
    path: /^\/openai\/v1\/chat\/completions$/,
    contentType: EVENTS,
    encoder: (answering) => encodeChat(answering, OPENAI),
    overloaded: 503,
    error: openAi,
    thinks: false,
    argsInPieces: true,
    endsCalls: false,
  },
  deepseek: {
    name: 'deepseek',
    model: 'deepseek-chat',
    path: /^\/deepseek\/chat\/completions$/,
    contentType: EVENTS,
    encoder: (answering) => encodeChat(answering, DEEPSEEK),
    overloaded: 503,
    error: openAi,
    thinks: true,
    argsInPieces: true,
    endsCalls: false,
  },
  'openai-compatible': {
    name: 'openai-compatible',
    model: 'openai-compatible:llama',
    path: /^\/compatible\/v1\/chat\/completions$/,
    contentType: EVENTS,
    encoder: (answering) => encodeChat(answering, DEEPSEEK),
    overloaded: 503,
    error: openAi,
    thinks: true,
    argsInPieces: true,
    endsCalls: false,
  },
  google: {
    name: 'google',
    model: 'gemini-flash',
    path: /^\/google\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
    contentType: EVENTS,
    encoder: encodeGoogle,
    overloaded: 503,
    error: googleError,
    thinks: true,
    argsInPieces: false,
    endsCalls: true,
  },
  ollama: {
    name: 'ollama',
    model: 'ollama:llama',
    path: /^\/ollama\/api\/chat$/,
    contentType: 'application/x-ndjson',
    encoder: encodeOllama,
    overloaded: 503,
    error: (_, error) => ({ error }),
    thinks: true,
    argsInPieces: false,
    endsCalls: true,
  },
}

/** Settings with which Segno reaches every provider at this address. */
export function wireSettings(base: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_API_KEY: 'a',
    ANTHROPIC_BASE_URL: `${base}/anthropic/v1`,
    OPENAI_API_KEY: 'o',
    OPENAI_BASE_URL: `${base}/openai/v1`,
    DEEPSEEK_API_KEY: 'd',
    DEEPSEEK_BASE_URL: `${base}/deepseek`,
    GOOGLE_GENERATIVE_AI_API_KEY: 'g',
    GOOGLE_GENERATIVE_AI_BASE_URL: `${base}/google/v1beta`,
    OPENAI_COMPATIBLE_API_KEY: 'c',
    OPENAI_COMPATIBLE_BASE_URL: `${base}/compatible/v1`,
    OLLAMA_BASE_URL: `${base}/ollama`,
  }
}
