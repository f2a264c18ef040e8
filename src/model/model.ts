import type { LanguageModelV4 } from '@ai-sdk/provider'

/** Micro-dollars per million tokens. */
export interface Prices {
  readonly input: number
  readonly output: number
  /** input read from the provider's cache; by default the price of input */
  readonly cachedRead?: number
  /** input written to the provider's cache; by default the price of input */
  readonly cachedWrite?: number
}

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** A model as the registry knows it. */
export interface ModelEntry {
  readonly key: string
  /** a provider's name, or whatever a model given in code calls its provider */
  readonly provider: string
  readonly modelId: string
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

/** Defaults of a model without an entry. */
export const DEFAULTS = { window: 128_000, maxOutput: 4000, temperature: 0.7 } as const
