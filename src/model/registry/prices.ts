import { Problem } from '../../contract/problem.ts'
import { isObject } from '../../lib/type-guards.ts'
import { parseObject } from '../../lib/parse-object.ts'
import type { ModelEntry, Prices } from '../model.ts'

const FIELDS = ['input', 'output', 'cachedRead', 'cachedWrite']

export const EXPECTED_PRICES =
  'micro-dollars for a million tokens: {"input": 140000, "output": 280000}, also cachedRead, cachedWrite'

export function arePrices(value: unknown): value is Prices {
  if (!isObject(value) || !('input' in value && 'output' in value)) return false
  return Object.entries(value).every(
    ([name, price]) => FIELDS.includes(name) && typeof price === 'number' && price >= 0 && Number.isFinite(price),
  )
}

/** SEGNO_ASSUMED_PRICES: the price of models without one. */
export function readAssumedPrices(text: string | undefined): Prices | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = parseObject(text)
  if (!arePrices(value))
    throw new Problem('CONFIG_ERROR', `Segno cannot start: SEGNO_ASSUMED_PRICES: expected ${EXPECTED_PRICES}.`)
  return value
}

const FREE: Prices = { input: 0, output: 0 }

/** Models on one's own machine; Ollama also offers models that run at ollama.com. */
function isFree({ provider, modelId }: ModelEntry, ollamaURL: string): boolean {
  if (provider !== 'ollama' || /[:-]cloud$/.test(modelId)) return false
  const host = URL.parse(ollamaURL)?.hostname ?? ''
  return host !== 'ollama.com' && !host.endsWith('.ollama.com')
}

/** An entry with its own price, zero, or the operator's assumption. */
export function withPrices<Entry extends ModelEntry>(
  entry: Entry,
  assumed: Prices | undefined,
  ollamaURL: string,
): Entry {
  if (entry.prices) return entry
  if (isFree(entry, ollamaURL)) return { ...entry, prices: FREE }
  return assumed ? { ...entry, prices: assumed, pricesAssumed: true } : entry
}
