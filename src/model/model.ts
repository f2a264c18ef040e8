import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Effort } from '../contract/model-params.ts'
import type { Capabilities, Prices } from '../contract/model-facts.ts'

/** How long a provider keeps what it is told to cache. */
export const CACHE_TTLS = ['5m', '1h'] as const
export type CacheTtl = (typeof CACHE_TTLS)[number]

export const OUTPUT_FIELDS = ['max_tokens', 'max_completion_tokens'] as const
type OutputField = (typeof OUTPUT_FIELDS)[number]

/** A model as the registry knows it; what it can do has the defaults of `capabilitiesOf`. */
export interface ModelEntry extends Partial<Capabilities> {
  readonly key: string
  /** a provider's name, or whatever a model given in code calls its provider */
  readonly provider: string
  readonly modelId: string
  /** whose peculiarities it has, a name in the table of features; by default those of its provider */
  readonly quirks?: string
  /** context window in tokens, including the answer */
  readonly window: number
  /** tokens of one answer */
  readonly maxOutput: number
  /** by default the provider's */
  readonly temperature?: number
  /** reasoning effort, by default the provider's */
  readonly effort?: Effort
  /** which files it accepts, by default what its provider usually does */
  readonly files?: 'none' | 'pictures' | 'documents'
  /** by default five minutes; an hour costs twice the price of input where five minutes cost a quarter more */
  readonly cacheTtl?: CacheTtl
  /** what servers with the Chat Completions API call the longest answer; by default `max_tokens` */
  readonly outputField?: OutputField
  /** nobody described it for this provider, so that its server knows better how much it can see */
  readonly usual?: true
  /** if missing, cost is marked as unknown */
  readonly prices?: Prices
  /** the price is the operator's assumption */
  readonly pricesAssumed?: boolean
  /** the key of the model to use when this one fails */
  readonly fallback?: string
}

export interface Model extends ModelEntry {
  readonly language: LanguageModelV4
}

/** Segno asks for streams only. */
export const STREAMS_ONLY = {
  specificationVersion: 'v4',
  supportedUrls: {},
  doGenerate: (): Promise<never> => Promise.reject(new Error('this model only streams')),
} as const

/** A model that says it sees less is not believed. */
export const LEAST_WINDOW = 1000

/** Defaults of a model about which nothing is known. */
export const DEFAULTS = { window: 128_000, maxOutput: 4000, temperature: 0.7 } as const
