import type { Usage } from '../../contract/message.ts'
import type { Prices, Rates } from '../../contract/model-facts.ts'

const MILLION = 1_000_000

/** Micro-dollars, rounded up; cached input is part of `input` and has its own price. */
export function costOf(usage: Usage, prices: Prices): number {
  const rates = ratesUpTo(usage.input, prices).at(-1) ?? prices
  const read = Math.min(usage.cachedRead ?? 0, usage.input)
  const written = Math.min(usage.cachedWrite ?? 0, usage.input - read)
  const fresh = usage.input - read - written
  const cost =
    fresh * rates.input +
    read * (rates.cachedRead ?? rates.input) +
    written * (rates.cachedWrite ?? rates.input) +
    usage.output * rates.output
  return Math.ceil(cost / MILLION)
}

/** The most that calls with at most so many tokens can cost, whatever the provider caches. */
export function highestCost({ input, output }: Pick<Usage, 'input' | 'output'>, prices: Prices): number {
  const costs = ratesUpTo(input, prices).map(
    (rates) => input * Math.max(rates.input, rates.cachedRead ?? 0, rates.cachedWrite ?? 0) + output * rates.output,
  )
  return Math.ceil(Math.max(...costs) / MILLION)
}

/** The rates of calls with at most so much input; those of the longest calls come last. */
function ratesUpTo(input: number, prices: Prices): Rates[] {
  const steps = (prices.steps ?? []).filter(({ above }) => input > above)
  return [prices, ...steps.sort((one, other) => one.above - other.above)]
}
