import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { Problem } from '../../contract/problem.ts'
import { PROVIDERS, type Connection, type Provider } from './provider-table.ts'
import { lazyModel } from './lazy-model.ts'
import { providerFetch } from './provider-fetch.ts'

export type ProviderSettings = Readonly<Record<string, string | undefined>>

/** The providers as they are set up here. */
export interface Connections {
  readonly names: readonly string[]
  /** Why models of this provider cannot be called; undefined if they can. */
  missing(name: string): string | undefined
  /** Is the setting there that says somebody wants this provider? */
  isSet(provider: Provider): boolean
  baseURL(provider: Provider): string | undefined
  /** where the provider of this name is reached */
  url(name: string): string | undefined
  /** '' where none is set */
  apiKey(provider: Provider): string
  model(name: string, modelId: string, window: number): LanguageModelV4
  embedding(name: string, modelId: string): Promise<EmbeddingModelV4>
}

/** A key goes to the address it was given for and is not sent on to another. */
const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })

export function connections(settings: ProviderSettings): Connections {
  const byName = new Map(PROVIDERS.map((provider) => [provider.name, provider]))
  const baseURL = (provider: Provider): string | undefined => settings[provider.urlSetting] ?? provider.baseURL
  const isSet = ({ needs, keySetting, urlSetting }: Provider): boolean =>
    settings[(needs === 'key' ? keySetting : urlSetting) ?? ''] !== undefined

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
    url(name) {
      const provider = byName.get(name)
      return provider && baseURL(provider)
    },
    apiKey,
    missing(name) {
      const provider = byName.get(name)
      if (!provider) return `there is no provider ${name}`
      if (provider.needs === 'nothing' || isSet(provider)) return undefined
      return `${provider.needs === 'key' ? provider.keySetting : provider.urlSetting} is not set`
    },
    model(name, modelId, window) {
      const provider = byName.get(name) as Provider
      return lazyModel(name, modelId, async () => {
        const { connect } = await provider.load()
        return connect(connection(provider, providerFetch))(modelId, { window })
      })
    },
    async embedding(name, modelId) {
      const provider = byName.get(name) as Provider
      const { connectEmbeddings } = await provider.load()
      if (!connectEmbeddings)
        throw new Problem('CONFIG_ERROR', `The provider ${name} has no embeddings.`, { field: 'SEGNO_EMBEDDINGS' })
      return connectEmbeddings(connection(provider, withoutRedirects))(modelId)
    },
  }
}
