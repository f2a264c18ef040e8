import type { LanguageModelV4 as LanguageModel } from '@ai-sdk/provider'
import { readFileSync } from 'node:fs'
import { Problem } from '../../contract/problem.ts'
import { connections, type Connections, type ProviderSettings } from '../providers/connections.ts'
import { PROVIDERS } from '../providers/provider-table.ts'
import { DEFAULTS, type Model, type ModelEntry } from '../model.ts'
import { providerViews, type ProviderView } from './provider-views.ts'
import { readEntries } from './read-entries.ts'
import { defaultScript } from '../scripted/default-script.ts'
import { knownModel } from './known-model.ts'
import { offered, probe } from './probe.ts'
import { readAssumedPrices, withPrices } from './prices.ts'
import { parseScript, type Script } from '../scripted/script.ts'
import { createScriptedModel } from '../scripted/scripted-model.ts'

export type ModelView = ModelEntry & {
  readonly standard: boolean
  /** why it cannot be used here */
  readonly missing?: string
}

export type Models = Awaited<ReturnType<typeof chooseModels>>

export interface ModelChoice {
  /** SEGNO_MODEL */
  readonly model: string | undefined
  /** SEGNO_MODELS */
  readonly entries: string | undefined
  /** SEGNO_ASSUMED_PRICES */
  readonly assumedPrices: string | undefined
  /** file with scenarios for the scripted model */
  readonly script: string | undefined
  readonly given: LanguageModel | Script | undefined
  readonly settings: ProviderSettings
  /** how long a local server may take to list its models */
  readonly probeMs: number
}

/** Clients make up model names, so only so many are kept. */
const MOST_NAMES = 1000

/** The registry, the configured providers and the default model. */
export async function chooseModels(choice: ModelChoice) {
  const reach = connections(choice.settings)
  const { entries, faults } = readEntries(choice.entries, reach.names)
  if (faults.length > 0) throw new Problem('CONFIG_ERROR', `Segno cannot start: ${faults.join('; ')}.`)
  const assumed = readAssumedPrices(choice.assumedPrices)
  const priced = <Entry extends ModelEntry>(entry: Entry): Entry =>
    withPrices(entry, assumed, reach.url('ollama') ?? '')
  const registry = new Map(entries.map((entry) => [entry.key, priced(entry)]))
  const made = new Map<string, Model>()
  for (const model of modelsInCode(choice, entries).map(priced)) {
    made.set(model.key, model)
    registry.set(model.key, model)
  }

  function missing({ key, provider }: ModelEntry): string | undefined {
    return made.has(key) ? undefined : reach.missing(provider)
  }

  /** Throws a Problem for an unknown model or one that is not set up. */
  function get(name: string): Model {
    const found = made.get(name)
    if (found) return found
    const described = registry.get(name) ?? byProvider(name, reach, entries)
    if (!described)
      throw unknown(
        name,
        [...registry.values()].filter((one) => missing(one) === undefined),
      )
    const entry = priced(described)
    const why = missing(entry)
    if (why !== undefined)
      throw new Problem('VALIDATION_ERROR', `The model ${name} cannot be used: ${why}.`, { field: 'model' })
    const model: Model = { ...entry, language: reach.model(entry.provider, entry.modelId, entry.window) }
    if (made.size >= MOST_NAMES) for (const key of made.keys()) if (!registry.has(key)) made.delete(key)
    made.set(name, model)
    return model
  }

  const { standard, why } = await chooseStandard(choice, reach)
  // A default model that cannot be called stops the start, not the first message.
  const chosen = get(standard)
  if (!registry.has(standard)) registry.set(standard, chosen)
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
    /** Asks servers without a key whether they answer. */
    providers: (): Promise<readonly ProviderView[]> => providerViews({ model: chosen, why }, reach, choice.probeMs),
    list: (): readonly ModelView[] =>
      [...registry.values()].map((model: Model | ModelEntry) => {
        const { language: _, ...entry } = { language: undefined, ...model }
        const because = missing(entry)
        return { ...entry, standard: entry.key === standard, ...(because !== undefined && { missing: because }) }
      }),
  }
}

/** The scripted model, and a model given in code, which is the default. */
function modelsInCode({ given, script: file }: ModelChoice, entries: readonly ModelEntry[]): Model[] {
  const script = given && !isModel(given) ? given : file === undefined ? defaultScript : readScript(file)
  const scripted: Model = {
    key: 'scripted',
    provider: 'scripted',
    modelId: 'scripted',
    window: DEFAULTS.window,
    maxOutput: DEFAULTS.maxOutput,
    prices: { input: 0, output: 0 },
    language: createScriptedModel(parseScript(script)),
  }
  if (!given || !isModel(given)) return [scripted]
  const { provider, modelId } = given
  const key = `${provider}:${modelId}`
  return [{ ...DEFAULTS, ...ofModel(entries, provider, modelId), key, provider, modelId, language: given }, scripted]
}

/** The default model and why it was chosen. */
async function chooseStandard(
  { model, given, probeMs }: ModelChoice,
  reach: Connections,
): Promise<{ standard: string; why: string }> {
  if (given) {
    const standard = isModel(given) ? `${given.provider}:${given.modelId}` : 'scripted'
    return { standard, why: 'it was given in code' }
  }
  if (model !== undefined) return { standard: model, why: 'SEGNO_MODEL names it' }
  const silent: string[] = []
  for (const provider of PROVIDERS) {
    const { name, standard, needs, keySetting, urlSetting } = provider
    if (needs === 'key') {
      if (standard !== undefined && reach.isSet(provider)) return { standard, why: `${keySetting} is set` }
      continue
    }
    if (needs === 'url' && !reach.isSet(provider)) continue
    const [first] = await probe((signal) => offered(provider, reach, signal), probeMs)
    if (first !== undefined) return { standard: `${name}:${first}`, why: `${name} answers and has it` }
    if (reach.isSet(provider)) silent.push(urlSetting)
  }
  const asked = silent.map((setting) => `what ${setting} names does not say which models it has`)
  return { standard: 'scripted', why: [...asked, 'no provider is set up: ANTHROPIC_API_KEY would do'].join('; ') }
}

const isModel = (one: LanguageModel | Script): one is LanguageModel => 'doStream' in one

/** `<provider>:<model>`, for models that are not in the registry. */
function byProvider(name: string, { names }: Connections, entries: readonly ModelEntry[]): ModelEntry | undefined {
  const provider = names.find((one) => name.startsWith(`${one}:`))
  const modelId = name.slice((provider?.length ?? 0) + 1)
  if (provider === undefined || modelId === '' || name.length > 200) return undefined
  // Ollama allocates memory for the whole window.
  const window = provider === 'ollama' ? 16_000 : DEFAULTS.window
  return { ...DEFAULTS, window, ...ofModel(entries, provider, modelId), key: name, provider, modelId }
}

/** What is known about a model under any key. */
function ofModel(
  entries: readonly ModelEntry[],
  provider: string,
  modelId: string,
): Partial<Pick<ModelEntry, 'window' | 'maxOutput' | 'prices'>> {
  const known = knownModel(entries, { provider, modelId })
  if (!known) return {}
  const { window, maxOutput, prices } = known
  return { window, maxOutput, ...(prices && { prices }) }
}

function unknown(name: string, usable: readonly ModelEntry[]): Problem {
  const known = usable.map(({ key }) => key).join(', ')
  return new Problem('VALIDATION_ERROR', `There is no model ${name}. Known here: ${known}; or <provider>:<model>.`, {
    field: 'model',
  })
}

function readScript(file: string): Script {
  try {
    return parseScript(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const why = (cause as Error).message
    throw new Problem('CONFIG_ERROR', `SEGNO_SCRIPT names ${file}, which cannot be used as a script: ${why}.`, {
      cause,
    })
  }
}
