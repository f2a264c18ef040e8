import { expect, test } from 'vitest'
import { savedBy } from './cache-words.ts'

const rates = { input: 1_000_000, output: 5_000_000, cachedRead: 100_000, cachedWrite: 1_250_000 }

test('what is read from a cache saves money, and what is put there costs some', () => {
  expect(savedBy({ input: 1000, output: 1, cachedRead: 1000 }, rates)).toBe(900)
  expect(savedBy({ input: 1000, output: 1, cachedWrite: 1000 }, rates)).toBe(-250)
})

test('long input has the price of its step', () => {
  const steps = [
    { ...rates, above: 2000, input: 4_000_000 },
    { ...rates, above: 500, input: 2_000_000 },
  ]
  expect(savedBy({ input: 1000, output: 1, cachedRead: 1000 }, { ...rates, steps })).toBe(1900)
})

test('a cache whose price is not known saves nothing known', () => {
  expect(savedBy({ input: 1000, output: 1, cachedRead: 1000 }, undefined)).toBeUndefined()
  expect(savedBy({ input: 1000, output: 1, cachedRead: 1000 }, { input: 1, output: 1 })).toBe(0)
})
