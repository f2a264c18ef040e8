import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { capabilitiesOf } from './capabilities.ts'
import { chooseModels } from './choose-models.ts'
import { ENTRIES } from './entries.ts'
import { plainId } from './traits.ts'

const SETTINGS = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', OPENROUTER_API_KEY: 'k', GOOGLE_API_KEY: 'k' }

async function model(name: string, entries: object = {}) {
  const { get } = await chooseModels({
    model: 'scripted',
    entries: JSON.stringify(entries),
    providers: JSON.stringify({ house: { baseURL: 'http://127.0.0.1:9/v1' } }),
    assumedPrices: undefined,
    script: undefined,
    given: undefined,
    settings: SETTINGS,
    probeMs: 1,
  })
  const found = get(name)
  return { ...found, ...capabilitiesOf(found) }
}

describe('what a model can do', () => {
  verifies('GOV-22', 'is known under every name, and at everybody who serves it', async () => {
    const sonnet = ENTRIES.find(({ key }) => key === 'claude-sonnet')
    const { window, maxOutput, takesTemperature } = sonnet ?? {}
    const names = ['claude-sonnet', 'anthropic:claude-sonnet-5-5', 'openrouter:anthropic/claude-sonnet-5.5']
    for (const name of [...names, 'house:claude-sonnet-5-5', 'mine'])
      expect(await model(name, { mine: { provider: 'house', model: 'anthropic/claude-sonnet-5.5' } })).toMatchObject({
        window,
        maxOutput,
        takesTemperature,
      })
  })

  verifies('GOV-22', 'says nothing about what another provider takes for it', async () => {
    expect((await model('openrouter:anthropic/claude-sonnet-5.5')).prices).toBeUndefined()
    expect((await model('anthropic:claude-sonnet-5-5')).prices).toBeDefined()
  })

  test.each<[string, object]>([
    ['openai:o3', { takesTemperature: false, reasoning: true, outputField: 'max_completion_tokens' }],
    ['house:gpt-5.2', { takesTemperature: false, window: 400_000, outputField: 'max_completion_tokens' }],
    ['openai:gpt-5-chat-latest', { takesTemperature: true, reasoning: false }],
    ['openai:gpt-4o-2024-08-06', { takesTemperature: true, reasoning: false }],
    ['anthropic:claude-opus-4-1', { takesTemperature: true, reasoning: true }],
    ['anthropic:claude-opus-4-8', { takesTemperature: false, reasoning: true }],
    ['anthropic:claude-3-haiku-20240307', { reasoning: false, maxOutput: 4000 }],
    ['google:gemma-3-27b-it', { tools: false, reasoning: false }],
    ['house:gpt-oss-120b', { files: 'none', takesTemperature: true }],
  ])('is known of %s by its name', async (name, known) => {
    const found = await model(name)
    expect(found).toMatchObject(known)
    expect(found.temperature, 'it is the provider who chooses').toBeUndefined()
  })

  verifies('GOV-6', 'is what is usual where nothing is known', async () => {
    expect(await model('house:unheard-of')).toMatchObject({
      window: 128_000,
      maxOutput: 4000,
      temperature: 0.7,
      tools: true,
      takesTemperature: true,
    })
  })

  test('is what an entry says, for whatever else names the model', async () => {
    const entries = { mine: { provider: 'house', model: 'own-7b', tools: false, files: 'none', window: 8000 } }
    expect(await model('house:own-7b', entries)).toMatchObject({ tools: false, files: 'none', window: 8000 })
    expect(await model('mine', { ...entries, other: entries.mine })).toMatchObject({ tools: false, maxOutput: 2000 })
  })
})

test.each([
  ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
  ['openai/gpt-4o-2024-08-06:free', 'gpt-4o'],
  ['accounts/fireworks/models/gpt-oss-120b', 'gpt-oss-120b'],
])('%s is plainly %s', (id, plain) => {
  expect(plainId(id)).toBe(plain)
})
