import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { ENTRIES } from './entries.ts'
import { readEntries } from './read-entries.ts'

const PROVIDERS = ['anthropic', 'openai', 'openai-chat', 'openai-compatible', 'deepseek', 'google', 'ollama'].map(
  (name) => ({ name, kind: name }),
)
const read = (entries: unknown) =>
  readEntries(typeof entries === 'string' ? entries : JSON.stringify(entries), PROVIDERS)

describe('SEGNO_MODELS', () => {
  verifies('GOV-6', 'adds a model, with what is usual where nothing is said', () => {
    const { entries, faults } = read({ mine: { provider: 'openai-compatible', model: 'llama-4' } })
    expect(faults).toEqual([])
    expect(entries.find(({ key }) => key === 'mine')).toEqual({
      key: 'mine',
      provider: 'openai-compatible',
      modelId: 'llama-4',
      window: 128_000,
      maxOutput: 4000,
      temperature: 0.7,
      usual: true,
    })
    expect(entries).toHaveLength(ENTRIES.length + 1)
  })

  verifies('GOV-6', 'changes a model Segno knows, field by field', () => {
    const { entries } = read({ 'claude-sonnet': { fallback: 'gpt-4o', temperature: null } })
    const { temperature: _, ...before } = ENTRIES.find(({ key }) => key === 'claude-sonnet') as never as {
      temperature: number
    }
    expect(entries.find(({ key }) => key === 'claude-sonnet')).toEqual({ ...before, fallback: 'gpt-4o' })
  })

  const found = (entries: unknown, key: string) => read(entries).entries.find((entry) => entry.key === key)
  const of = (key: string) => ENTRIES.find((entry) => entry.key === key)

  verifies('GOV-6', 'an entry for a model that is known has its price and its limits, whatever it is called', () => {
    const { prices, window, maxOutput } = of('claude-opus') ?? {}
    const mine = { provider: 'anthropic', model: 'claude-opus-5-5' }
    expect(found({ mine }, 'mine')).toMatchObject({ prices, window, maxOutput })
    expect(found({ mine: { ...mine, window: 50_000 } }, 'mine')).toMatchObject({ prices, window: 50_000 })
    const own = { input: 1, output: 2 }
    expect(found({ mine: { ...mine, prices: own } }, 'mine')).toMatchObject({ prices: own, window })
    expect(found({ 'claude-opus': { prices: own }, mine }, 'mine')).toMatchObject({ prices: own })
    expect(found({ mine, 'claude-opus': { prices: own } }, 'mine'), 'in any order').toMatchObject({ prices: own })
    expect(found({ mine: { provider: 'openai-chat', model: 'gpt-4o' } }, 'mine')).toMatchObject({
      prices: of('gpt-4o')?.prices,
    })
    expect(found({ mine: { provider: 'openai', model: 'claude-opus-5-5' } }, 'mine')).not.toHaveProperty('prices')
  })

  verifies('GOV-22', 'a known key that is given another model has the price of that model, or none', () => {
    expect(found({ 'claude-haiku': { model: 'claude-opus-5-5' } }, 'claude-haiku')).toMatchObject({
      prices: of('claude-opus')?.prices,
      window: of('claude-opus')?.window,
    })
    const other = found({ 'claude-haiku': { model: 'unheard-of' } }, 'claude-haiku')
    expect(other).not.toHaveProperty('prices')
    expect(other).toMatchObject({ window: 128_000, maxOutput: 4000, temperature: 0.7 })
    expect(found({ 'gpt-4o': { provider: 'openai-compatible' } }, 'gpt-4o')).not.toHaveProperty('prices')
  })

  const model = { provider: 'openai', model: 'm' }
  test.each<[string, unknown, RegExp]>([
    ['what is not JSON', '{mine', /^SEGNO_MODELS: expected a JSON object such as/],
    ['a list', [], /expected a JSON object/],
    ['a key nobody can type', { 'my model': model }, /"my model" is not a key/],
    ['an entry that is no object', { mine: 'openai' }, /mine: expected an object/],
    ['an unknown field', { mine: { ...model, price: 1 } }, /mine.price is not a field of a model \(provider, model/],
    [
      'an unknown provider',
      { mine: { ...model, provider: 'acme' } },
      /mine.provider: expected one of anthropic, openai/,
    ],
    ['no model', { mine: { provider: 'openai' } }, /mine.model: expected what the provider calls/],
    ['a window too small', { mine: { ...model, window: 10 } }, /mine.window: expected a whole number from 1000 up/],
    [
      'an answer too long',
      { mine: { ...model, window: 8000, maxOutput: 5000 } },
      /mine.maxOutput: expected at most half/,
    ],
    [
      'a temperature too high',
      { mine: { ...model, temperature: 3 } },
      /mine.temperature: expected a number from 0 to 2/,
    ],
    ['an unknown cacheTtl', { mine: { ...model, cacheTtl: '2h' } }, /mine.cacheTtl: expected one of 5m, 1h/],
    ['an unknown effort', { mine: { ...model, effort: 'huge' } }, /mine.effort: expected one of none, minimal/],
    ['unknown files', { mine: { ...model, files: 'films' } }, /mine.files: expected one of none, pictures, documents/],
    ['half a price', { mine: { ...model, prices: { input: 1 } } }, /mine.prices: expected micro-dollars/],
    ['a negative price', { mine: { ...model, prices: { input: 1, output: -1 } } }, /mine.prices/],
    [
      'a step without its length',
      { mine: { ...model, prices: { input: 1, output: 1, steps: [{ input: 2, output: 2 }] } } },
      /mine.prices: expected .* steps for longer input/,
    ],
    ['a fallback nobody knows', { mine: { ...model, fallback: 'none' } }, /mine.fallback is "none", expected the key/],
    ['itself as fallback', { mine: { ...model, fallback: 'mine' } }, /mine.fallback names the model itself/],
  ])('refuses %s, and says what was expected', (_, entries, fault) => {
    const { faults } = read(entries)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
  })
})

test('what Segno knows by itself would pass as settings', () => {
  const asSettings = Object.fromEntries(
    ENTRIES.map(({ key, modelId, ...entry }) => [key, { ...entry, model: modelId }]),
  )
  expect(read(asSettings)).toEqual({ entries: ENTRIES, faults: [] })
  for (const { prices } of ENTRIES) expect(prices?.cachedRead ?? 0).toBeLessThan(prices?.input ?? 0)
})
