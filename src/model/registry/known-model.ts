import { DEFAULTS, type ModelEntry } from '../model.ts'
import type { ListedModel } from './listed-model.ts'
import { plainId, traitsOf, type Traits } from './traits.ts'

/** OpenAI's two APIs have the same models, and packages append the API's name. */
export const familyOf = (provider: string): string => {
  const [name = provider] = provider.split('.', 1)
  return name === 'openai-chat' ? 'openai' : name
}

interface Named extends Pick<ModelEntry, 'provider' | 'modelId' | 'effort'> {
  /** of its provider */
  readonly kind?: string | undefined
}

/** Ollama allocates memory for the whole window. */
const OLLAMA_WINDOW = 16_000

/** What is known about a model; `usual` unless somebody described it for this provider. */
export type About = Traits & Pick<ModelEntry, 'window' | 'maxOutput' | 'temperature' | 'prices' | 'usual'>

/**
 * What is known about a model under any key. Another provider's model of the same name can do the same, but may cost
 * something else.
 */
export function aboutModel(entries: Iterable<ModelEntry>, named: Named): About {
  const all = [...entries]
  const family = familyOf(named.provider)
  const same = all.filter((one) => one.modelId === named.modelId && familyOf(one.provider) === family)
  const known = same.find((one) => one.effort === named.effort) ?? same[0]
  if (known) return { ...abilitiesOf(known), ...(known.prices && { prices: known.prices }) }
  const about = byName(all, named.modelId)
  return named.kind === 'ollama' ? { ...about, ...withinWindow(about, OLLAMA_WINDOW) } : about
}

function byName(entries: readonly ModelEntry[], modelId: string): About {
  const id = plainId(modelId)
  const alike = entries.find((one) => !one.usual && plainId(one.modelId) === id)
  if (alike) return { ...abilitiesOf(alike), usual: true }
  const traits = traitsOf(modelId)
  const { temperature: _, ...limits } = DEFAULTS
  return { ...(traits ? { ...limits, ...traits } : DEFAULTS), usual: true }
}

/** A smaller window, with an answer that leaves room for a question. */
function withinWindow(
  { window, maxOutput }: Pick<ModelEntry, 'window' | 'maxOutput'>,
  most: number,
): Pick<ModelEntry, 'window' | 'maxOutput'> {
  const smaller = Math.min(window, most)
  return { window: smaller, maxOutput: Math.min(maxOutput, Math.floor(smaller / 4)) }
}

/** An entry with what its server tells: abilities nobody else knows, and limits where they are only what is usual. */
export function withTold<Entry extends ModelEntry>(entry: Entry, told: ListedModel | undefined): Entry {
  if (!told) return entry
  const { modelId: _, window = entry.window, maxOutput = entry.maxOutput, ...more } = told
  if (!entry.usual) return { ...more, ...entry }
  // Ollama's usual window is smaller than most models'.
  const most = entry.window < DEFAULTS.window ? Math.min(entry.window, window) : window
  return { ...more, ...entry, ...withinWindow({ window, maxOutput }, most) }
}

/** What belongs to the model itself, not to its key. */
function abilitiesOf(entry: ModelEntry): Omit<About, 'prices'> {
  const { key: _, provider: _p, modelId: _m, quirks: _q, effort: _e, cacheTtl: _c, fallback: _f, ...rest } = entry
  const { prices: _s, pricesAssumed: _a, ...abilities } = rest
  return abilities
}
