import { Problem } from '../contract/problem.ts'
import type { ProviderRecord } from '../contract/provider.ts'
import { asFetch, EgressFailed, EgressRefused, type Egress } from '../egress/index.ts'
import { readingAnew } from '../lib/reading-anew.ts'
import { delay } from '../lib/delay.ts'
import { secretTexts } from '../lib/secret-texts.ts'
import type { Secrets } from '../secret/index.ts'
import { INSTALLATION, providerSecret, type AccountStore, type SecretStore } from '../store/index.ts'
import type { ProviderSecret } from './provider-secret.ts'

/** A stored provider as the models need it, with its secrets. */
interface LoadedProvider extends Pick<ProviderRecord, 'name' | 'kind' | 'baseURL' | 'headers' | 'query' | 'local'> {
  readonly apiKey?: string
  readonly missing?: string
  readonly fetch: typeof globalThis.fetch
}

interface LoadOptions {
  readonly egress: Egress
  setStored(providers: readonly LoadedProvider[]): void
  /** Tells what must not appear anywhere. */
  onSecrets(texts: readonly string[]): void
  onUnreadable(provider: string): void
  readonly closed: AbortSignal
}

/** The wait before a store that failed is read again. */
const AGAIN_MS = 1000

/** Reads the stored providers into the models, now and whenever another node has changed them. */
export function providerLoader(store: SecretStore & AccountStore, secrets: Secrets, options: LoadOptions) {
  const fetch = publicFetch(options.egress)

  async function read(): Promise<void> {
    const texts: string[] = []
    const loaded: LoadedProvider[] = []
    for (const { name, kind, baseURL, headers, query, local } of await store.providers()) {
      const secret = await secretOf(name)
      texts.push(...('missing' in secret ? [] : secretTexts(secret, true)))
      loaded.push({
        name,
        kind,
        fetch,
        ...(baseURL !== undefined && { baseURL }),
        ...(local !== undefined && { local }),
        ...('missing' in secret
          ? { missing: secret.missing }
          : {
              headers: { ...headers, ...secret.headers },
              query: { ...query, ...secret.query },
              ...(secret.key !== undefined && { apiKey: secret.key }),
            }),
      })
    }
    options.onSecrets(texts)
    options.setStored(loaded)
  }

  /** A provider whose secret cannot be read is there, and says why it cannot be used. */
  async function secretOf(name: string): Promise<ProviderSecret | { readonly missing: string }> {
    try {
      const text = await secrets.get({ tenant: INSTALLATION, name: providerSecret(name) })
      return JSON.parse(text ?? '{}') as ProviderSecret
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'SECRET_KEY_ERROR') throw error
      options.onUnreadable(name)
      return { missing: error.message.replace(/\.$/, '') }
    }
  }

  const reload = readingAnew(read)

  async function reloadUntilRead(): Promise<void> {
    while (!options.closed.aborted) {
      try {
        return await reload()
      } catch {
        await delay(AGAIN_MS, options.closed)
      }
    }
  }

  const stop = store.onChange((area) => {
    if (area === 'providers') void reloadUntilRead().catch(() => {})
  })
  options.closed.addEventListener('abort', stop)
  return { reload }
}

/** A request to a private network fails with a sentence, and is not tried again. */
function publicFetch(egress: Egress): typeof globalThis.fetch {
  const send = asFetch(egress)
  return async (input, init) => {
    try {
      return await send(input, init)
    } catch (error) {
      // As the global fetch says it, so that it is tried again.
      if (error instanceof EgressFailed) throw new TypeError('fetch failed', { cause: error })
      if (!(error instanceof EgressRefused)) throw error
      const why = 'its address is not on the public internet; SEGNO_PRIVATE_ORIGINS can allow it'
      throw new Problem('MODEL_ERROR', why, { cause: error })
    }
  }
}
