import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../contract/problem.ts'
import type { ModelEntry } from '../model.ts'
import { PROVIDERS, type Connection, type MadeWith } from './provider-table.ts'
import { lazyModel } from './lazy-model.ts'
import { knownProvider, storedProvider, type Provider, type ProviderSettings, type StoredProvider } from './provider.ts'
import { providerFetch } from './provider-fetch.ts'

export type Connections = ReturnType<typeof connections>

/** An API key must not follow a redirect to another address. */
const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })

const connection = ({ apiKey, baseURL = '', headers, query, quirks }: Provider, send: typeof fetch): Connection => ({
  apiKey,
  baseURL,
  headers,
  queryParams: query,
  fetch: send,
  quirks,
})

/** The providers with their settings; `named` are those of SEGNO_PROVIDERS. */
export function connections(settings: ProviderSettings, named: readonly Provider[] = []) {
  const fixed = merge(
    PROVIDERS.map((known) => knownProvider(known, settings)),
    named,
  )
  let byName = new Map(fixed.map((one) => [one.name, one]))

  return {
    /** in the order in which the default is chosen */
    all: (): readonly Provider[] => [...byName.values()],
    find: (name: string): Provider | undefined => byName.get(name),
    /** Replaces the providers that came over HTTP, except where settings have the name; tells which have changed. */
    setStored(stored: readonly StoredProvider[]): readonly string[] {
      const taken = new Set(fixed.filter(({ from, isSet }) => from === 'file' || isSet).map(({ name }) => name))
      const more = stored.filter(({ name }) => !taken.has(name)).flatMap((one) => storedProvider(one, settings) ?? [])
      const before = byName
      byName = new Map(merge(fixed, more).map((one) => [one.name, one]))
      const names = new Set([...before.keys(), ...byName.keys()])
      return [...names].filter((name) => !isDeepStrictEqual(before.get(name), byName.get(name)))
    },
    /** Why this provider's models cannot be called; undefined if they can. */
    missing(name: string): string | undefined {
      const provider = byName.get(name)
      return provider ? provider.missing : `there is no provider ${name}`
    },
    model(entry: Pick<ModelEntry, 'provider' | 'modelId'> & MadeWith): LanguageModelV4 {
      const provider = byName.get(entry.provider) as Provider
      return lazyModel(entry.provider, entry.modelId, () => makeModel(provider, entry.modelId, entry))
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

/** Loads the provider's package and makes a model, without calling it. */
export async function makeModel(provider: Provider, modelId: string, entry: MadeWith): Promise<LanguageModelV4> {
  const { connect } = await provider.load()
  return connect(connection(provider, providerFetch(provider.fetch)))(modelId, entry)
}

/** Others replace those of the same name, or come before the servers that are asked without being set up. */
function merge(providers: readonly Provider[], others: readonly Provider[]): Provider[] {
  const replaced = providers.map((one) => others.find(({ name }) => name === one.name) ?? one)
  const added = others.filter(({ name }) => !providers.some((one) => one.name === name))
  const servers = replaced.findIndex(({ name }) => name === 'openai-compatible')
  return replaced.toSpliced(servers, 0, ...added)
}
