/** The conversation as a model sees it, in no provider's dialect. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** A picture or a document. Its bytes are kept by the store under their hash. */
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly name?: string
  /** SHA-256 of the bytes, in hex */
  readonly hash: string
  /** how many there are */
  readonly bytes: number
}

/**
 * What a model wants back untouched with its own words (signatures, encrypted reasoning), and which model that is,
 * `<provider>:<model>`. No other model is sent it.
 */
export interface Keepsake {
  readonly of: string
  readonly data?: Json
}

export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly meta?: Keepsake
}

/** `id` is ours and unique; `providerId` is what the provider called it. `raw` is kept when it did not parse. */
export interface ToolUsePart {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly raw?: string
  readonly providerId?: string
  readonly meta?: Keepsake
}

export interface ToolResultPart {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error: boolean
  readonly files?: readonly FilePart[]
}

/** What a person says. */
export type UserPart = TextPart | FilePart
export type AssistantPart = TextPart | ReasoningPart | ToolUsePart

export type Message =
  | {
      readonly role: 'user'
      readonly content: readonly (UserPart | ToolResultPart)[]
      readonly eventIds: readonly string[]
    }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[]; readonly eventIds: readonly string[] }

/** A message as it is sent: text, or parts of which some are files. */
export type MessageContent = string | readonly (TextPart | NewFile)[]

/** A file as it is sent. `data`: in base64, or the bytes themselves. */
export interface NewFile {
  readonly type: 'file'
  readonly mediaType: string
  readonly name?: string
  readonly data: string | Uint8Array
}

/** What the text parts say, one after the other. */
export function textOf(parts: readonly (UserPart | AssistantPart | ToolResultPart)[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/**
 * Tokens of one or more model calls. `estimated`: some of them the provider did not tell; `unpriced`: some of them
 * have no known price, so the cost beside them is too low.
 */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cachedRead?: number
  readonly cachedWrite?: number
  readonly reasoning?: number
  readonly estimated?: boolean
  readonly unpriced?: boolean
}

export const NO_USAGE: Usage = { input: 0, output: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = { input: a.input + b.input, output: a.output + b.output }
  if (a.cachedRead || b.cachedRead) sum.cachedRead = (a.cachedRead ?? 0) + (b.cachedRead ?? 0)
  if (a.cachedWrite || b.cachedWrite) sum.cachedWrite = (a.cachedWrite ?? 0) + (b.cachedWrite ?? 0)
  if (a.reasoning || b.reasoning) sum.reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0)
  if (a.estimated || b.estimated) sum.estimated = true
  if (a.unpriced || b.unpriced) sum.unpriced = true
  return sum
}
