import type { LanguageModelV4 } from '@ai-sdk/provider'
import { PROVIDERS, type Provider } from './provider-table.ts'
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
  model(name: string, modelId: string, window: number): LanguageModelV4
}

export function connections(settings: ProviderSettings): Connections {
  const byName = new Map(PROVIDERS.map((provider) => [provider.name, provider]))
  const baseURL = (provider: Provider): string | undefined => settings[provider.urlSetting] ?? provider.baseURL
  const isSet = ({ needs, keySetting, urlSetting }: Provider): boolean =>
    settings[(needs === 'key' ? keySetting : urlSetting) ?? ''] !== undefined

  return {
    names: [...byName.keys()],
    isSet,
    baseURL,
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
        const apiKey = settings[provider.keySetting ?? ''] ?? ''
        return connect({ apiKey, baseURL: baseURL(provider) ?? '', fetch: providerFetch })(modelId, { window })
      })
    },
  }
}
