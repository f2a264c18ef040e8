import { assert, nat, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { costOf } from './cost.ts'

const prices = { input: 3_000_000, output: 15_000_000, cachedRead: 300_000, cachedWrite: 3_750_000 }

describe('the cost of a call', () => {
  verifies('GOV-6', 'is the price of each kind of token, in micro-dollars', () => {
    expect(costOf({ input: 1000, output: 100 }, prices)).toBe(3000 + 1500)
    expect(costOf({ input: 1000, output: 0, cachedRead: 800 }, prices)).toBe(200 * 3 + 240)
    expect(costOf({ input: 1000, output: 0, cachedRead: 500, cachedWrite: 400 }, prices)).toBe(100 * 3 + 150 + 1500)
  })

  test('counts cached tokens as ordinary ones where the cache has no price', () => {
    expect(costOf({ input: 1000, output: 0, cachedRead: 800 }, { input: 1_000_000, output: 0 })).toBe(1000)
  })

  verifies('GOV-22', 'is that of the step its input reaches, for all of its tokens', () => {
    const steps = [
      { above: 500_000, input: 9_000_000, output: 30_000_000 },
      { above: 200_000, input: 6_000_000, output: 20_000_000, cachedRead: 600_000 },
    ]
    const at = (input: number, more: object = {}) => costOf({ input, output: 1000, ...more }, { ...prices, steps })
    expect(at(200_000)).toBe(600_000 + 15_000)
    expect(at(200_001)).toBe(200_001 * 6 + 20_000)
    expect(at(300_000, { cachedRead: 100_000 })).toBe(200_000 * 6 + 60_000 + 20_000)
    expect(at(600_000, { cachedRead: 100_000 }), 'a step without its own price for the cache').toBe(5_400_000 + 30_000)
  })

  test('is never rounded down to nothing', () => {
    expect(costOf({ input: 1, output: 0 }, { input: 2800, output: 0 })).toBe(1)
    expect(costOf({ input: 0, output: 0 }, prices)).toBe(0)
  })

  test('never is less than nothing, whatever a provider tells', () => {
    const tokens = nat(1_000_000)
    const usage = record({ input: tokens, output: tokens, cachedRead: tokens, cachedWrite: tokens })
    assert(
      property(usage, (one) => {
        const dearest = Math.max(...Object.values(prices))
        const cost = costOf(one, prices)
        expect(cost).toBeGreaterThanOrEqual(0)
        expect(cost).toBeLessThanOrEqual(Math.ceil(((one.input + one.output) * dearest) / 1_000_000))
      }),
    )
  })
})
