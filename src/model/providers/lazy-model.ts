import type { LanguageModelV4 } from '@ai-sdk/provider'
import { STREAMS_ONLY } from '../model.ts'

/** A model whose code is loaded with its first call. */
export function lazyModel(provider: string, modelId: string, load: () => Promise<LanguageModelV4>): LanguageModelV4 {
  let loaded: Promise<LanguageModelV4> | undefined
  const model = (): Promise<LanguageModelV4> =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))
  return {
    ...STREAMS_ONLY,
    provider,
    modelId,
    doStream: async (options) => (await model()).doStream(options),
  }
}
