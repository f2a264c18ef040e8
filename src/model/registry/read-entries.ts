import { isObject } from '../../lib/type-guards.ts'
import { parseObject } from '../../lib/parse-object.ts'
import { EFFORTS, DEFAULTS, type ModelEntry, type Prices } from '../model.ts'
import { ENTRIES } from './entries.ts'
import { familyOf, knownModel } from './known-model.ts'
import { arePrices, EXPECTED_PRICES } from './prices.ts'

const FIELDS = ['provider', 'model', 'window', 'maxOutput', 'temperature', 'effort', 'files', 'prices', 'fallback']
const FILES = ['none', 'pictures', 'documents']

/**
 * Reads SEGNO_MODELS: a known key is changed field by field, any other is added; window, longest answer and prices
 * default to those of the same model elsewhere.
 */
export function readEntries(
  text: string | undefined,
  providers: readonly string[],
): { entries: ModelEntry[]; faults: string[] } {
  const faults: string[] = []
  const all = new Map(ENTRIES.map((entry) => [entry.key, entry]))
  const named = Object.entries(parse(text, faults))
  // Entries with their own price first, so that others inherit it in any order.
  for (const [key, given] of [...named.filter(saysPrices), ...named.filter((one) => !saysPrices(one))]) {
    const before = faults.length
    if (!isObject(given)) {
      faults.push(`${key}: expected an object`)
      continue
    }
    const found = readEntry(key, given, all, providers, faults)
    if (faults.length === before) all.set(key, found)
  }
  for (const { key, fallback } of all.values()) {
    if (fallback !== undefined && fallback === key) faults.push(`${key}.fallback names the model itself`)
    else if (fallback !== undefined && !isNamed(fallback, all, providers))
      faults.push(`${key}.fallback is "${fallback}", expected the key of another model`)
  }
  return { entries: [...all.values()], faults: faults.map((fault) => `SEGNO_MODELS: ${fault}`) }
}

const saysPrices = ([, given]: [string, unknown]): boolean => isObject(given) && given['prices'] !== undefined

function isNamed(name: string, all: ReadonlyMap<string, unknown>, providers: readonly string[]): boolean {
  return all.has(name) || name === 'scripted' || providers.some((provider) => name.startsWith(`${provider}:`))
}

function parse(text: string | undefined, faults: string[]): Record<string, unknown> {
  if (text === undefined || text.trim() === '') return {}
  const value = parseObject(text)
  if (!value)
    faults.push('expected a JSON object such as {"my-model": {"provider": "openai-compatible", "model": "llama-4"}}')
  return value ?? {}
}

function readEntry(
  key: string,
  value: Record<string, unknown>,
  all: ReadonlyMap<string, ModelEntry>,
  providers: readonly string[],
  faults: string[],
): ModelEntry {
  const known = all.get(key)
  const fault = (field: string, expected: string): void => void faults.push(`${key}${field}: expected ${expected}`)
  if (!/^[\w.-]{1,64}$/.test(key)) faults.push(`"${key}" is not a key: letters, digits, dots, dashes, at most 64`)
  for (const field of Object.keys(value))
    if (!FIELDS.includes(field)) faults.push(`${key}.${field} is not a field of a model (${FIELDS.join(', ')})`)

  const provider = value['provider'] ?? known?.provider
  if (typeof provider !== 'string' || !providers.includes(provider))
    fault('.provider', `one of ${providers.join(', ')}`)
  const model = value['model'] ?? known?.modelId
  if (typeof model !== 'string' || model === '') fault('.model', 'what the provider calls the model')
  const effort = value['effort'] ?? known?.effort
  if (effort !== undefined && !EFFORTS.includes(effort as never)) fault('.effort', `one of ${EFFORTS.join(', ')}`)
  const same = describedAs(provider, model, effort, known, all)
  const whole = (field: 'window' | 'maxOutput', usual: number, least: number): number => {
    const number = value[field] ?? usual
    if (!Number.isSafeInteger(number) || (number as number) < least)
      fault(`.${field}`, `a whole number from ${least} up`)
    return number as number
  }
  const window = whole('window', same?.window ?? DEFAULTS.window, 1000)
  const maxOutput = whole('maxOutput', Math.min(same?.maxOutput ?? DEFAULTS.maxOutput, Math.floor(window / 4)), 1)
  if (maxOutput > window / 2 && window >= 1000)
    fault('.maxOutput', `at most half of the window, ${Math.floor(window / 2)}`)
  const temperature = 'temperature' in value ? value['temperature'] : (known?.temperature ?? DEFAULTS.temperature)
  if (temperature !== null && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2))
    fault('.temperature', "a number from 0 to 2, or null for the provider's own")
  const files = value['files'] ?? known?.files
  if (files !== undefined && !FILES.includes(files as never)) fault('.files', `one of ${FILES.join(', ')}`)
  const prices = value['prices'] ?? same?.prices
  if (prices !== undefined && !arePrices(prices)) fault('.prices', EXPECTED_PRICES)
  const fallback = value['fallback'] ?? known?.fallback
  if (fallback !== undefined && typeof fallback !== 'string') fault('.fallback', 'the key of another model')
  return {
    key,
    provider: provider as string,
    modelId: model as string,
    window,
    maxOutput,
    ...(temperature !== null && { temperature: temperature as number }),
    ...(effort !== undefined && { effort: effort as NonNullable<ModelEntry['effort']> }),
    ...(files !== undefined && { files: files as NonNullable<ModelEntry['files']> }),
    ...(prices !== undefined && { prices: prices as Prices }),
    ...(fallback !== undefined && { fallback: fallback as string }),
  }
}

/** What is known about this model; a key that now names another model inherits nothing from the old one. */
function describedAs(
  provider: unknown,
  modelId: unknown,
  effort: unknown,
  known: ModelEntry | undefined,
  all: ReadonlyMap<string, ModelEntry>,
): ModelEntry | undefined {
  if (typeof provider !== 'string' || typeof modelId !== 'string') return undefined
  if (known?.modelId === modelId && familyOf(known.provider) === familyOf(provider)) return known
  return knownModel(all.values(), { provider, modelId, effort: effort as NonNullable<ModelEntry['effort']> })
}
