import { Problem } from '../../contract/problem.ts'
import { isIntegerFrom, isObject, type UnknownRecord } from '../../lib/type-guards.ts'
import { parseObject } from '../../lib/parse-object.ts'
import type { Prices, PriceStep } from '../../contract/model-facts.ts'
import type { ModelEntry } from '../model.ts'
import type { Provider } from '../providers/provider.ts'

const FIELDS = ['input', 'output', 'cachedRead', 'cachedWrite']
const MOST_STEPS = 10

export const EXPECTED_PRICES =
  'micro-dollars for a million tokens: {"input": 140000, "output": 280000}, also cachedRead, cachedWrite, and steps ' +
  `for longer input: [{"above": 200000, "input": 280000, "output": 420000}], at most ${MOST_STEPS}`

export function arePrices(value: unknown): value is Prices {
  if (!isObject(value)) return false
  const { steps = [], ...rates } = value
  return areRates(rates) && Array.isArray(steps) && steps.length <= MOST_STEPS && steps.every(isStep)
}

function isStep(value: unknown): value is PriceStep {
  if (!isObject(value)) return false
  const { above, ...rates } = value
  return isIntegerFrom(above, 1) && areRates(rates)
}

function areRates(value: UnknownRecord): boolean {
  if (!('input' in value && 'output' in value)) return false
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

type Server = Pick<Provider, 'kind' | 'baseURL' | 'local'>

/** Models on one's own machine; Ollama also offers models that run at ollama.com. */
function isFree({ modelId }: ModelEntry, { kind, baseURL = '', local }: Server): boolean {
  if (kind !== 'ollama') return local
  if (/[:-]cloud$/i.test(modelId)) return false
  const host = URL.parse(baseURL)?.hostname ?? ''
  return host !== 'ollama.com' && !host.endsWith('.ollama.com')
}

/** An entry with its own price, zero, or the operator's assumption. */
export function withPrices<Entry extends ModelEntry>(
  entry: Entry,
  assumed: Prices | undefined,
  provider: Server | undefined,
): Entry {
  if (entry.prices) return entry.cacheTtl === '1h' ? { ...entry, prices: keptAnHour(entry.prices) } : entry
  if (provider && isFree(entry, provider)) return { ...entry, prices: FREE }
  return assumed ? { ...entry, prices: assumed, pricesAssumed: true } : entry
}

/** Published prices of writing to a cache are for five minutes. */
function keptAnHour(prices: Prices): Prices {
  const { steps, ...first } = prices
  const hour = <Step extends Pick<Prices, 'input' | 'cachedWrite'>>(step: Step): Step => ({
    ...step,
    cachedWrite: Math.max(2 * step.input, step.cachedWrite ?? 0),
  })
  return { ...hour(first), ...(steps && { steps: steps.map(hour) }) }
}
