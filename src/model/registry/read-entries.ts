import { isIntegerFrom, isObject } from '../../lib/type-guards.ts'
import { parseObject } from '../../lib/parse-object.ts'
import { EFFORTS, type Effort } from '../../contract/model-params.ts'
import { CACHE_TTLS, DEFAULTS, LEAST_WINDOW, OUTPUT_FIELDS, type ModelEntry } from '../model.ts'
import type { Provider } from '../providers/provider.ts'
import { ENTRIES } from './entries.ts'
import { aboutModel, familyOf } from './known-model.ts'
import { arePrices, EXPECTED_PRICES } from './prices.ts'

/** Fields with one of these words. */
const CHOICES = {
  effort: EFFORTS,
  files: ['none', 'pictures', 'documents'],
  cacheTtl: CACHE_TTLS,
  outputField: OUTPUT_FIELDS,
} as const
const SWITCHES = ['tools', 'parallelCalls', 'reasoning', 'takesTemperature', 'structuredOutput']
const FIELDS = [
  'provider',
  'model',
  'window',
  'maxOutput',
  'temperature',
  'prices',
  'fallback',
  ...Object.keys(CHOICES),
  ...SWITCHES,
]
type NamedProvider = Pick<Provider, 'name' | 'kind'>

const MODEL_CHARS = 200

/**
 * Reads SEGNO_MODELS: a known key is changed field by field, any other is added; what is not said is as for the same
 * model elsewhere.
 */
export function readEntries(
  text: string | undefined,
  providers: readonly NamedProvider[],
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

function isNamed(name: string, all: ReadonlyMap<string, unknown>, providers: readonly NamedProvider[]): boolean {
  return all.has(name) || name === 'scripted' || providers.some((provider) => name.startsWith(`${provider.name}:`))
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
  providers: readonly NamedProvider[],
  faults: string[],
): ModelEntry {
  const fault = (field: string, expected: string): void => void faults.push(`${key}${field}: expected ${expected}`)
  if (!/^[\w.-]{1,64}$/.test(key)) faults.push(`"${key}" is not a key: letters, digits, dots, dashes, at most 64`)
  for (const field of Object.keys(value))
    if (!FIELDS.includes(field)) faults.push(`${key}.${field} is not a field of a model (${FIELDS.join(', ')})`)

  const before = all.get(key)
  const { provider = before?.provider, model = before?.modelId, effort = before?.effort } = value
  const found = providers.find(({ name }) => name === provider)
  if (!found) fault('.provider', `one of ${providers.map(({ name }) => name).join(', ')}`)
  if (typeof model !== 'string' || model === '' || model.length > MODEL_CHARS)
    fault('.model', `what the provider calls the model, at most ${MODEL_CHARS} characters`)
  const named = { provider: found?.name ?? '', modelId: String(model), kind: found?.kind, effort: effort as Effort }
  // A key that now names another model inherits nothing from the old one.
  const isSame = before?.modelId === model && familyOf(before?.provider ?? '') === familyOf(named.provider)
  const { quirks: _, ...about } = before && isSame ? before : { quirks: '', ...aboutModel(all.values(), named) }
  const kept = before && !isSame ? pick(before, ['effort', 'cacheTtl', 'fallback']) : {}

  const usualWindow = found?.kind === 'ollama' ? windowFor(value['maxOutput'], about.window) : about.window
  checkNumbers(value, usualWindow, fault)
  for (const [field, words] of Object.entries(CHOICES))
    if (value[field] !== undefined && !words.includes(value[field] as never))
      fault(`.${field}`, `one of ${words.join(', ')}`)
  for (const field of SWITCHES)
    if (value[field] !== undefined && typeof value[field] !== 'boolean') fault(`.${field}`, 'true or false')
  if (value['prices'] !== undefined && !arePrices(value['prices'])) fault('.prices', EXPECTED_PRICES)
  if (value['fallback'] !== undefined && typeof value['fallback'] !== 'string')
    fault('.fallback', 'the key of another model')

  const { provider: _p, model: _m, temperature, ...said } = value
  const { temperature: usual, usual: isUsual, ...known } = about
  const window = (said['window'] ?? usualWindow) as number
  const sent = temperature === undefined ? usual : temperature
  return {
    ...kept,
    ...known,
    window,
    maxOutput: Math.min(about.maxOutput, Math.floor(window / 4)),
    ...said,
    key,
    provider: named.provider,
    modelId: named.modelId,
    ...(sent !== undefined && sent !== null && { temperature: sent as number }),
    ...(isUsual && said['window'] === undefined && said['maxOutput'] === undefined && { usual: true as const }),
  }
}

/** Ollama's usual window is small, and is larger for who wants long answers. */
const windowFor = (maxOutput: unknown, usual: number): number =>
  isIntegerFrom(maxOutput, 1) ? Math.max(usual, Math.min(2 * maxOutput, DEFAULTS.window)) : usual

type Fault = (field: string, expected: string) => void

function checkNumbers(value: Record<string, unknown>, usualWindow: number, fault: Fault): void {
  const { window = usualWindow, maxOutput = 1, temperature = null } = value
  if (!isIntegerFrom(window, LEAST_WINDOW)) return fault('.window', `a whole number from ${LEAST_WINDOW} up`)
  if (!isIntegerFrom(maxOutput, 1)) fault('.maxOutput', 'a whole number from 1 up')
  else if (maxOutput > window / 2) fault('.maxOutput', `at most half of the window, ${Math.floor(window / 2)}`)
  if (temperature !== null && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2))
    fault('.temperature', "a number from 0 to 2, or null for the provider's own")
}

function pick<Field extends keyof ModelEntry>(entry: ModelEntry, fields: readonly Field[]): Partial<ModelEntry> {
  return Object.fromEntries(fields.flatMap((field) => (entry[field] === undefined ? [] : [[field, entry[field]]])))
}
