import type { ModelEntry } from '../model.ts'
import { ENTRIES } from './entries.ts'
import { familyOf } from './known-model.ts'

interface LookedAt {
  /** the package whose list of models was read, and its version then */
  readonly package: string
  readonly version: string
  /** the day of the prices */
  readonly pricesAsOf: string
}

/** When the built-in entries were compared with what providers have and take; a test says when a package is newer. */
export const LOOKED_AT: Readonly<Record<string, LookedAt>> = {
  anthropic: { package: '@ai-sdk/anthropic', version: '4.0.102', pricesAsOf: '2026-11-18' },
  openai: { package: '@ai-sdk/openai', version: '4.0.114', pricesAsOf: '2026-11-18' },
  deepseek: { package: '@ai-sdk/deepseek', version: '3.0.56', pricesAsOf: '2026-11-15' },
  google: { package: '@ai-sdk/google', version: '4.0.117', pricesAsOf: '2026-11-18' },
}

/** The day of an entry's prices, if they are ours. */
export function pricesAsOf({ provider, prices }: Pick<ModelEntry, 'provider' | 'prices'>): string | undefined {
  const isOurs = prices !== undefined && ENTRIES.some((one) => one.prices === prices)
  return isOurs ? LOOKED_AT[familyOf(provider)]?.pricesAsOf : undefined
}
