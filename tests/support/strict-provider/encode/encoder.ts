import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Dict } from '../values.ts'

/** Writes one answer as a stream of events. */
export interface Encoder {
  /** What is sent for a part; '' for parts that are not told. */
  part(part: LanguageModelV4StreamPart): string
  /** An error in the middle of a stream. */
  error(status: number): string
  /** What comes when nothing comes. */
  readonly keepAlive: string
}

export interface Answering {
  readonly model: string
  readonly body: Dict
  /** unique in a server */
  readonly id: string
}

export type CreateEncoder = (answering: Answering) => Encoder

export const sse = (data: object | string, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cachedRead: number
  readonly cachedWrite: number
  readonly reasoning: number
}

export function tokensOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Tokens {
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    cachedRead: inputTokens.cacheRead ?? 0,
    cachedWrite: inputTokens.cacheWrite ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
  }
}
