import type { Usage } from '../../contract/message.ts'
import type { Prices } from '../model.ts'

const MILLION = 1_000_000

/** Micro-dollars, rounded up; cached input is part of `input` and has its own price. */
export function costOf(usage: Usage, prices: Prices): number {
  const read = Math.min(usage.cachedRead ?? 0, usage.input)
  const written = Math.min(usage.cachedWrite ?? 0, usage.input - read)
  const fresh = usage.input - read - written
  const cost =
    fresh * prices.input +
    read * (prices.cachedRead ?? prices.input) +
    written * (prices.cachedWrite ?? prices.input) +
    usage.output * prices.output
  return Math.ceil(cost / MILLION)
}
