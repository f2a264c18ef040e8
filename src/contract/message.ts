/** The conversation as a model sees it, independent of providers. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** An image or document; the store has its bytes under their hash. */
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly name?: string
  /** SHA-256 in hex */
  readonly hash: string
  readonly bytes: number
}

/** Opaque data such as signatures that a model wants back with its own messages; sent only to the model in `of`. */
export interface ProviderMeta {
  readonly of: string
  readonly data?: Json
}

/** What a model says; `meta` is with it where the provider wants it back. */
interface SaidPart extends TextPart {
  readonly meta?: ProviderMeta
}

/** A file that a model made, such as a picture. */
export interface MadeFile extends FilePart {
  readonly meta?: ProviderMeta
}

/** What an answer refers to: a page, or a document if there is no address. */
export interface Source {
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
}

interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly meta?: ProviderMeta
}

/** `id` is ours and unique, `providerId` the provider's; `raw` has arguments that did not parse. */
export interface ToolUsePart {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly raw?: string
  readonly providerId?: string
  readonly meta?: ProviderMeta
}

export interface ToolResultPart {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error: boolean
  readonly files?: readonly FilePart[]
}

export type UserPart = TextPart | FilePart
export type AssistantPart = SaidPart | ReasoningPart | ToolUsePart

export type Message =
  | {
      readonly role: 'user'
      readonly content: readonly (UserPart | ToolResultPart)[]
      readonly eventIds: readonly string[]
    }
  | {
      readonly role: 'assistant'
      readonly content: readonly (AssistantPart | MadeFile)[]
      readonly eventIds: readonly string[]
      /** what it refers to; models are not told */
      readonly sources?: readonly Source[]
    }

/** A message as it is sent: text, or parts that may be files. */
export type MessageContent = string | readonly (TextPart | NewFile)[]

/** A file as it is sent; `data` is base64 or bytes. */
export interface NewFile {
  readonly type: 'file'
  readonly mediaType: string
  readonly name?: string
  readonly data: string | Uint8Array
}

/** What people read where somebody let a round go on; a model reads a sentence. */
export const CONTINUED = 'Continued'

/** The text parts joined. */
export function textOf(parts: readonly (UserPart | AssistantPart | ToolResultPart)[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Tokens of model calls; `estimated` if the provider did not report some, `unpriced` if some have no known price. */
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
