import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { Problem } from '../../contract/problem.ts'
import { PROVIDERS, type Connection, type Provider } from './provider-table.ts'
import { lazyModel } from './lazy-model.ts'
import { providerFetch } from './provider-fetch.ts'

export type ProviderSettings = Readonly<Record<string, string | undefined>>

export type Connections = ReturnType<typeof connections>

/** An API key must not follow a redirect to another address. */
const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })

/** The providers with their settings. */
export function connections(settings: ProviderSettings) {
  const byName = new Map(PROVIDERS.map((provider) => [provider.name, provider]))
  const baseURL = (provider: Provider): string | undefined => settings[provider.urlSetting] ?? provider.baseURL
  const isSet = ({ needs, keySetting, urlSetting }: Provider): boolean =>
    settings[(needs === 'key' ? keySetting : urlSetting) ?? ''] !== undefined

  /** empty if none is set */
  const apiKey = ({ keySetting }: Provider): string => settings[keySetting ?? ''] ?? ''
  const connection = (provider: Provider, send: typeof fetch): Connection => ({
    apiKey: apiKey(provider),
    baseURL: baseURL(provider) ?? '',
    fetch: send,
  })

  return {
    names: [...byName.keys()],
    isSet,
    baseURL,
    url(name: string): string | undefined {
      const provider = byName.get(name)
      return provider && baseURL(provider)
    },
    apiKey,
    /** Why this provider's models cannot be called; undefined if they can. */
    missing(name: string): string | undefined {
      const provider = byName.get(name)
      if (!provider) return `there is no provider ${name}`
      if (provider.needs === 'nothing' || isSet(provider)) return undefined
      return `${provider.needs === 'key' ? provider.keySetting : provider.urlSetting} is not set`
    },
    model(name: string, modelId: string, window: number): LanguageModelV4 {
      const provider = byName.get(name) as Provider
      return lazyModel(name, modelId, async () => {
        const { connect } = await provider.load()
        return connect(connection(provider, providerFetch))(modelId, { window })
      })
    },
    async embedding(name: string, modelId: string): Promise<EmbeddingModelV4> {
      const provider = byName.get(name) as Provider
      const { connectEmbeddings } = await provider.load()
      if (!connectEmbeddings)
        throw new Problem('CONFIG_ERROR', `The provider ${name} has no embeddings.`, { field: 'SEGNO_EMBEDDINGS' })
      return connectEmbeddings(connection(provider, withoutRedirects))(modelId)
    },
  }
}
