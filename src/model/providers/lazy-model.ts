import type { LanguageModelV4 } from '@ai-sdk/provider'

/** A model whose code is loaded by its first call. */
export function lazyModel(provider: string, modelId: string, load: () => Promise<LanguageModelV4>): LanguageModelV4 {
  let loaded: Promise<LanguageModelV4> | undefined
  const model = (): Promise<LanguageModelV4> =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doStream: async (options) => (await model()).doStream(options),
    doGenerate: async (options) => (await model()).doGenerate(options),
  }
}
