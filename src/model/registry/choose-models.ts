import type { LanguageModelV4 as LanguageModel } from '@ai-sdk/provider'
import { Problem } from '../../contract/problem.ts'
import { connections, type Connections } from '../providers/connections.ts'
import { readProviders } from '../providers/read-providers.ts'
import type { ProviderSettings, StoredProvider } from '../providers/provider.ts'
import { PROVIDERS } from '../providers/provider-table.ts'
import type { Model, ModelEntry } from '../model.ts'
import type { Script } from '../scripted/script.ts'
import { chooseStandard } from './choose-standard.ts'
import { aboutModel, withTold } from './known-model.ts'
import { pricesAsOf } from './looked-at.ts'
import { isModel, modelsInCode } from './models-in-code.ts'
import { readAssumedPrices, withPrices } from './prices.ts'
import { providerNotes, type ProviderNote } from './provider-notes.ts'
import { readEntries } from './read-entries.ts'
import { createServerModels, type Listing, type ServerModels } from './server-models.ts'
import { isSetUp, setUpOf, type ProviderSetUp } from './set-up.ts'
import { askForAWord, standardModel, tryProvider, type Tried, type TryOptions } from './try-provider.ts'

export type ModelView = ModelEntry & {
  readonly standard: boolean
  /** why it cannot be used here */
  readonly missing?: string
  /** the day of the prices, if they are Segno's own */
  readonly pricesAsOf?: string
}

export type Models = Awaited<ReturnType<typeof chooseModels>>

export interface ModelChoice {
  /** SEGNO_MODEL */
  readonly model: string | undefined
  /** SEGNO_MODELS */
  readonly entries: string | undefined
  /** SEGNO_PROVIDERS */
  readonly providers?: string | undefined
  /** SEGNO_ASSUMED_PRICES */
  readonly assumedPrices: string | undefined
  /** file with scenarios for the scripted model */
  readonly script: string | undefined
  readonly given: LanguageModel | Script | undefined
  readonly settings: ProviderSettings
  /** how long a local server may take to list its models */
  readonly probeMs: number
  readonly listing?: Listing
}

const LISTING: Listing = { listMs: 3000, keepMs: 60_000, most: 500 }

/** Clients make up model names, so only so many are kept. */
const MOST_NAMES = 1000

/** The registry, the configured providers and the default model. */
export async function chooseModels(choice: ModelChoice) {
  const named = readProviders(choice.providers, choice.settings)
  const reach = connections(choice.settings, named.providers)
  const { entries, faults: inEntries } = readEntries(choice.entries, reach.all())
  // A provider that cannot be read would make its models wrong too.
  const faults = named.faults.length > 0 ? named.faults : inEntries
  if (faults.length > 0) throw new Problem('CONFIG_ERROR', `Segno cannot start: ${faults.join('; ')}.`)
  const assumed = readAssumedPrices(choice.assumedPrices)
  const inCode = new Map(modelsInCode(choice.given, choice.script, entries).map((model) => [model.key, model]))
  const registry = new Map<string, ModelEntry>([...entries.map((entry) => [entry.key, entry] as const), ...inCode])
  const made = new Map<string, Model>()
  const forget = (isOld: (provider: string) => boolean): void => {
    for (const [key, { provider }] of made) if (isOld(provider)) made.delete(key)
  }
  const servers = createServerModels(choice.listing ?? LISTING, (name) => forget((one) => one === name))

  /** An entry with what its provider adds. */
  function complete<Entry extends ModelEntry>(entry: Entry): Entry {
    const provider = reach.find(entry.provider)
    if (!provider) return withPrices(entry, assumed, undefined)
    const told = withTold(entry, servers.about(provider.name, entry.modelId))
    return withPrices({ ...told, quirks: provider.quirks }, assumed, provider)
  }

  function missing({ key, provider }: ModelEntry): string | undefined {
    return inCode.has(key) ? undefined : reach.missing(provider)
  }

  /** Throws a Problem for an unknown model or one that is not set up. */
  function get(name: string): Model {
    const isNew = !made.has(name)
    const model = make(name)
    const provider = reach.find(model.provider)
    if (isNew && model.usual && provider) void servers.learn(provider)
    return model
  }

  function make(name: string): Model {
    const found = made.get(name)
    if (found) return found
    const entry = registry.get(name) ?? byProvider(name, reach, entries)
    if (!entry)
      throw unknown(
        name,
        [...registry.values()].filter((one) => missing(one) === undefined),
        reach.all().filter(isSetUp),
      )
    const why = missing(entry)
    if (why !== undefined)
      throw new Problem('VALIDATION_ERROR', `The model ${name} cannot be used: ${why}.`, { field: 'model' })
    const whole = complete(entry)
    const model: Model = { ...whole, language: inCode.get(name)?.language ?? reach.model(whole) }
    if (made.size >= MOST_NAMES) for (const key of made.keys()) if (!registry.has(key)) made.delete(key)
    made.set(name, model)
    return model
  }

  const { standard, why } = await standardOf(choice, reach, servers)
  // A default model that cannot be called stops the start, not the first message.
  const chosen = get(standard)
  if (!registry.has(standard)) registry.set(standard, byProvider(standard, reach, entries) ?? chosen)
  return {
    /** the default model, and why it was chosen */
    standard,
    why,
    /** Whether the registry has this key. */
    known: (key: string): boolean => registry.has(key),
    /** The provider and model of a key, even if it cannot be used any more. */
    describe(key: string): { readonly provider: string; readonly model: string } {
      const { provider, modelId } = registry.get(key) ??
        byProvider(key, reach, entries) ?? { provider: key, modelId: key }
      return { provider, model: modelId }
    },
    get,
    /** Replaces the providers that came over HTTP; those of settings win. */
    setStored(providers: readonly StoredProvider[]): void {
      const changed = new Set(reach.setStored(providers))
      forget((name) => changed.has(name))
    },
    /** The secrets of all providers, which must not appear anywhere. */
    secrets: (): readonly string[] => reach.all().flatMap(({ apiKey, secrets = [] }) => [apiKey, ...secrets]),
    /** How the providers are set up that somebody set up. */
    setUp: (): readonly ProviderSetUp[] => reach.all().filter(isSetUp).map(setUpOf),
    /** The setting that says where a known provider's server is, if it does. */
    addressSetting(name: string): string | undefined {
      const { urlSetting = '' } = PROVIDERS.find((one) => one.name === name) ?? {}
      return choice.settings[urlSetting] === undefined ? undefined : urlSetting
    },
    /** Asks a provider for its models, or a model of it for a word; undefined if nobody set it up. */
    async tryProvider(name: string, options: TryOptions): Promise<Tried | undefined> {
      const provider = reach.find(name)
      if (!provider || !isSetUp(provider)) return undefined
      const modelId = options.modelId ?? standardModel(provider.kind, entries)
      const ask = modelId === undefined ? undefined : () => askForAWord(make(`${name}:${modelId}`), options)
      return tryProvider(provider, options.signal, ask)
    },
    /** Asks servers without a key whether they answer. */
    providers: (): Promise<readonly ProviderNote[]> => providerNotes({ model: chosen, why }, reach, choice.probeMs),
    /** The registry, and the models that servers tell when they are asked. */
    async list(): Promise<readonly ModelView[]> {
      await Promise.all(reach.all().map(servers.learn))
      const told = reach.all().flatMap(({ name }) => servers.all(name).map(({ modelId }) => `${name}:${modelId}`))
      const more = told.flatMap((key) => (registry.has(key) ? [] : (byProvider(key, reach, entries) ?? [])))
      return [...registry.values(), ...more].map((one) => {
        const { language: _, usual: _u, ...entry } = { language: undefined, usual: undefined, ...complete(one) }
        const because = missing(entry)
        const asOf = pricesAsOf(entry)
        const dated = { ...entry, ...(asOf !== undefined && { pricesAsOf: asOf }) }
        return { ...dated, standard: entry.key === standard, ...(because !== undefined && { missing: because }) }
      })
    },
  }
}

/** The default model and why it was chosen. */
async function standardOf({ model, given, probeMs }: ModelChoice, reach: Connections, servers: ServerModels) {
  if (given) {
    const standard = isModel(given) ? `${given.provider}:${given.modelId}` : 'scripted'
    return { standard, why: 'it was given in code' }
  }
  return model === undefined
    ? chooseStandard(reach, servers, probeMs)
    : { standard: model, why: 'SEGNO_MODEL names it' }
}

/** `<provider>:<model>`, for models that are not in the registry. */
function byProvider(name: string, reach: Connections, entries: readonly ModelEntry[]): ModelEntry | undefined {
  const [provider = ''] = name.split(':', 1)
  const modelId = name.slice(provider.length + 1)
  const found = reach.find(provider)
  if (!found || modelId === '' || name.length > 200) return undefined
  if (IN_ADDRESSES.has(found.kind) && !isPlace(modelId)) return undefined
  return { ...aboutModel(entries, { provider, modelId, kind: found.kind }), key: name, provider, modelId }
}

/** They are asked at an address with the name of the model in it, and what clients name must not lead elsewhere. */
const IN_ADDRESSES = new Set(['google', 'package'])

const isPlace = (modelId: string): boolean =>
  /^[\w.:@+/-]{1,200}$/.test(modelId) && !modelId.split('/').some((part) => part === '.' || part === '..')

function unknown(
  name: string,
  usable: readonly ModelEntry[],
  providers: readonly { readonly name: string }[],
): Problem {
  const known = usable.map(({ key }) => key).join(', ')
  const names = providers.map((one) => one.name).join(', ')
  const others = names === '' ? '' : ` Or <provider>:<model>, with one of the providers ${names}.`
  return new Problem('VALIDATION_ERROR', `There is no model ${name}. Known here: ${known}.${others}`, {
    field: 'model',
  })
}
