/** The conversation as a model sees it, in no provider's dialect. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** `meta` is what the provider wants back untouched (signatures, encrypted reasoning). */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly meta?: Json
}

/** `id` is ours and unique; `providerId` is what the provider called it. `raw` is kept when it did not parse. */
export interface ToolUsePart {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly raw?: string
  readonly providerId?: string
  readonly meta?: Json
}

export interface ToolResultPart {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error: boolean
}

export type AssistantPart = TextPart | ReasoningPart | ToolUsePart

export type Message =
  | {
      readonly role: 'user'
      readonly content: readonly (TextPart | ToolResultPart)[]
      readonly eventIds: readonly string[]
    }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[]; readonly eventIds: readonly string[] }

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Tokens of one or more model calls. `estimated` marks numbers the provider did not give. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cachedRead?: number
  readonly cachedWrite?: number
  readonly reasoning?: number
  readonly estimated?: boolean
}

export const NO_USAGE: Usage = { input: 0, output: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = { input: a.input + b.input, output: a.output + b.output }
  if (a.cachedRead || b.cachedRead) sum.cachedRead = (a.cachedRead ?? 0) + (b.cachedRead ?? 0)
  if (a.cachedWrite || b.cachedWrite) sum.cachedWrite = (a.cachedWrite ?? 0) + (b.cachedWrite ?? 0)
  if (a.reasoning || b.reasoning) sum.reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0)
  if (a.estimated || b.estimated) sum.estimated = true
  return sum
}
