import { expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import type { ModelEntry } from '../model.ts'
import { chooseModels, type ModelChoice } from './choose-models.ts'
import { ENTRIES } from './entries.ts'
import { withPrices } from './prices.ts'

const models = (more: Partial<ModelChoice> = {}) =>
  chooseModels({
    model: 'scripted',
    entries: undefined,
    assumedPrices: undefined,
    script: undefined,
    given: undefined,
    settings: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' },
    probeMs: 1,
    ...more,
  })
const opus = ENTRIES.find(({ key }) => key === 'claude-opus')

verifies('GOV-6', 'a model has its price and its limits under every name', async () => {
  const { get } = await models({
    entries: JSON.stringify({ mine: { provider: 'anthropic', model: 'claude-opus-5-5' } }),
  })
  for (const name of ['claude-opus', 'mine', 'anthropic:claude-opus-5-5'])
    expect(get(name), name).toMatchObject({
      prices: opus?.prices,
      window: opus?.window,
      maxOutput: opus?.maxOutput,
    })
  expect(get('openai-chat:gpt-4o').prices).toEqual(ENTRIES.find(({ key }) => key === 'gpt-4o')?.prices)
  expect(get('anthropic:claude-of-tomorrow').prices).toBeUndefined()
})

verifies('GOV-6', 'a model given in code has the price of the same model of the registry', async () => {
  const language = (provider: string, modelId: string) => ({ provider, modelId, doStream: () => {} }) as never
  const given = await models({ model: undefined, given: language('anthropic.messages', 'claude-opus-5-5') })
  expect(given.get(given.standard)).toMatchObject({ prices: opus?.prices, window: opus?.window })
  const own = await models({ model: undefined, given: language('acme', 'one') })
  expect(own.get('acme:one').prices).toBeUndefined()
})

verifies('GOV-22', 'what is assumed is the price of models that have none, and is shown as such', async () => {
  const assumed = { input: 5, output: 6 }
  const { get, list } = await models({
    assumedPrices: JSON.stringify(assumed),
    entries: JSON.stringify({ mine: { provider: 'openai', model: 'unheard-of' } }),
  })
  expect(get('mine')).toMatchObject({ prices: assumed, pricesAssumed: true })
  expect(get('anthropic:x')).toMatchObject({ prices: assumed, pricesAssumed: true })
  expect(get('claude-opus').pricesAssumed).toBeUndefined()
  expect(get('scripted').prices).toEqual({ input: 0, output: 0 })
  expect((await list()).find(({ key }) => key === 'mine')).toMatchObject({ prices: assumed, pricesAssumed: true })
})

test.each<[string, string, boolean]>([
  ['llama-4:8b', 'http://127.0.0.1:11434', true],
  ['llama-4:8b', 'http://gpu.example.org:11434', true],
  ['gpt-oss:120b-cloud', 'http://127.0.0.1:11434', false],
  ['glm-5:cloud', 'http://127.0.0.1:11434', false],
  ['GLM-5:Cloud', 'http://127.0.0.1:11434', false],
  ['gpt-oss:120b', 'https://ollama.com', false],
  ['gpt-oss:120b', 'https://api.ollama.com/v1', false],
])('%s of the Ollama at %s costs nothing: %s', (modelId, url, isFree) => {
  const entry: ModelEntry = { key: 'k', provider: 'ollama', modelId, window: 1, maxOutput: 1 }
  const ollama = { kind: 'ollama', baseURL: url, local: false }
  expect(withPrices(entry, undefined, ollama).prices).toEqual(isFree ? { input: 0, output: 0 } : undefined)
  const own = { input: 1, output: 2 }
  expect(withPrices({ ...entry, prices: own }, undefined, ollama).prices).toEqual(own)
})

verifies('GOV-22', 'what is kept for an hour is counted at twice the price of input', async () => {
  const { get } = await models({ entries: JSON.stringify({ 'claude-opus': { cacheTtl: '1h' } }) })
  expect(get('claude-opus').prices).toEqual({ ...opus?.prices, cachedWrite: 2 * (opus?.prices?.input ?? 0) })
  expect(get('anthropic:claude-opus-5-5').prices).toEqual(opus?.prices)
})
