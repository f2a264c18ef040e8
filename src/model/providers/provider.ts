import { withoutSlashes } from '../../lib/without-slashes.ts'
import { loadPackage } from './load-package.ts'
import { PROVIDERS, type KnownProvider, type Loaded } from './provider-table.ts'

export type ProviderSettings = Readonly<Record<string, string | undefined>>

type Texts = Readonly<Record<string, string>>

/** A provider as it is set up here. */
export interface Provider {
  readonly name: string
  /** known: Segno has it by itself; file: from SEGNO_PROVIDERS; stored: set over HTTP */
  readonly from: 'known' | 'file' | 'stored'
  /** a known provider with the same API, or `package` */
  readonly kind: string
  /** whose peculiarities its models have */
  readonly quirks: string
  readonly baseURL: string | undefined
  /** empty if there is none */
  readonly apiKey: string
  readonly headers: Texts
  readonly query: Texts
  /** what else of its settings must not appear anywhere */
  readonly secrets?: readonly string[]
  /** its models cost nothing */
  readonly local: boolean
  /** whether anybody set it up */
  readonly isSet: boolean
  /** why it is the default, if it is */
  readonly why: string
  /** why its models cannot be called */
  readonly missing?: string
  /** what says where its server is */
  readonly place: string
  /** the setting that sets it up; what comes over HTTP cannot change it */
  readonly setting?: string
  /** how its server is reached, if not in the usual way */
  readonly fetch?: typeof globalThis.fetch
  readonly standard?: string
  readonly lists?: 'ollama' | 'compatible'
  load(): Promise<Loaded>
}

/** A provider that came over HTTP: never a package, and no variables in its headers. */
export interface StoredProvider {
  readonly name: string
  /** the name of a known provider */
  readonly kind: string
  readonly baseURL?: string
  readonly apiKey?: string
  readonly headers?: Texts
  readonly query?: Texts
  readonly local?: boolean
  /** why it cannot be used */
  readonly missing?: string
  /** reaches public addresses only */
  readonly fetch?: typeof globalThis.fetch
}

/** A provider Segno knows, with its settings. */
export function knownProvider(known: KnownProvider, settings: ProviderSettings): Provider {
  const { name, needs, keySettings, urlSetting } = known
  const keySetting = keySettings.find((one) => settings[one] !== undefined)
  const url = settings[urlSetting]
  const isSet = (needs === 'key' ? keySetting : url) !== undefined
  const needed = needs === 'key' ? keySettings[0] : urlSetting
  return {
    ...ofKind(known, url),
    name,
    from: 'known',
    apiKey: settings[keySetting ?? ''] ?? '',
    headers: {},
    query: {},
    local: false,
    isSet,
    why: `${keySetting} is set`,
    place: urlSetting,
    ...(isSet && { setting: needs === 'key' ? (keySetting ?? '') : urlSetting }),
    ...(known.standard !== undefined && { standard: known.standard }),
    ...(!isSet && needs !== 'nothing' && { missing: `${needed} is not set` }),
  }
}

/** Undefined for a kind that Segno does not know; an address in the settings wins. */
export function storedProvider(stored: StoredProvider, settings: ProviderSettings): Provider | undefined {
  const known = PROVIDERS.find(({ name }) => name === stored.kind)
  if (!known) return undefined
  const { name, apiKey = '', headers = {}, query = {}, local = false, fetch } = stored
  const fixedURL = name === known.name ? settings[known.urlSetting] : undefined
  const baseURL = fixedURL ?? stored.baseURL
  const missing =
    stored.missing !== undefined
      ? stored.missing
      : known.needs === 'key' && apiKey === ''
        ? `no key is stored for ${name}`
        : known.needs === 'url' && baseURL === undefined
          ? `no base URL is stored for ${name}`
          : undefined
  return {
    ...ofKind(known, baseURL),
    name,
    from: 'stored',
    apiKey,
    headers,
    query,
    local,
    isSet: true,
    why: `${name} is set up over HTTP`,
    place: `${name}, which was set up over HTTP,`,
    // The standard model's key names the known provider.
    ...(known.standard !== undefined && name === known.name && { standard: known.standard }),
    ...(missing !== undefined && { missing }),
    // Operators may name any address in the settings.
    ...(fetch && fixedURL === undefined && { fetch }),
  }
}

type How = Pick<Provider, 'kind' | 'quirks' | 'baseURL' | 'lists' | 'load'>

/** Called as a known provider is, perhaps at another address. */
export function ofKind(known: KnownProvider, url: string | undefined): How {
  const { name, lists, load, address } = known
  const given = url === undefined ? known.baseURL : withoutSlashes(url)
  const baseURL = given === undefined ? undefined : (address?.(given) ?? given)
  return { kind: name, quirks: name, baseURL, load, ...(lists && { lists }) }
}

/** Called through a package of the user's. */
export function ofPackage(name: string, url: string | undefined, options: object): How {
  async function load(): Promise<Loaded> {
    const create = await loadPackage(name)
    return {
      connect: ({ apiKey, baseURL, headers, fetch }) =>
        create({ ...(apiKey !== '' && { apiKey }), ...(baseURL !== '' && { baseURL }), headers, fetch, ...options }),
    }
  }
  // @ai-sdk/mistral, but @openrouter/ai-sdk-provider.
  const words = name.replace('@', '').split('/')
  const quirks = words.findLast((word) => !word.startsWith('ai-sdk')) ?? name
  return { kind: 'package', quirks, baseURL: url, load }
}
