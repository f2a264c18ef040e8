import type { LanguageModelV4 } from '@ai-sdk/provider'

/** What a million tokens cost, in micro-dollars. */
export interface Prices {
  readonly input: number
  readonly output: number
  /** input the provider had in its cache; without it such input costs as much as any other */
  readonly cachedRead?: number
  /** input the provider puts into its cache; without it such input costs as much as any other */
  readonly cachedWrite?: number
}

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** A model as the registry knows it. */
export interface ModelEntry {
  readonly key: string
  /** a name of the table of providers, or whatever a model given in code calls its provider */
  readonly provider: string
  readonly modelId: string
  /** tokens it can see, answer included */
  readonly window: number
  /** tokens of one answer */
  readonly maxOutput: number
  /** left out: the provider's own */
  readonly temperature?: number
  /** how much it should think; left out: as the provider has it */
  readonly effort?: Effort
  /** what it can be shown besides words; left out: as its provider usually takes it */
  readonly files?: 'none' | 'pictures' | 'documents'
  /** left out: nobody knows, and cost is marked so */
  readonly prices?: Prices
  /** nobody knows the price: the operator said what to assume */
  readonly pricesAssumed?: boolean
  /** the key of the model that answers when this one does not */
  readonly fallback?: string
}

/** A model that can be called. */
export interface Model extends ModelEntry {
  readonly language: LanguageModelV4
}

/** What is assumed of a model nobody described. */
export const USUAL = { window: 128_000, maxOutput: 4000, temperature: 0.7 } as const
