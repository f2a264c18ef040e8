import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { chooseModels } from './choose-models.ts'

const models = (settings: Record<string, string> = {}) =>
  chooseModels({
    model: 'scripted',
    entries: undefined,
    assumedPrices: undefined,
    script: undefined,
    given: undefined,
    settings,
    probeMs: 1,
  })

const HOUSE = { name: 'house', kind: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1' } as const

describe('providers that come over HTTP', () => {
  verifies('GOV-6', 'are there at once, and gone when they are taken away', async () => {
    const { get, setStored } = await models()
    expect(() => get('house:llama')).toThrow('There is no model house:llama')
    setStored([HOUSE])
    expect(get('house:llama')).toMatchObject({ provider: 'house', modelId: 'llama', quirks: 'openai-compatible' })
    setStored([])
    expect(() => get('house:llama')).toThrow('There is no model house:llama')
  })

  test('make the models of a known provider usable, under all their keys', async () => {
    const { get, list, setStored } = await models()
    expect(() => get('claude-sonnet')).toThrow('ANTHROPIC_API_KEY is not set')
    setStored([{ name: 'anthropic', kind: 'anthropic', apiKey: 'k' }])
    expect(get('claude-sonnet').provider).toBe('anthropic')
    expect((await list()).find(({ key }) => key === 'claude-sonnet')?.missing).toBeUndefined()
  })

  test('have their models made anew when they change, and only then', async () => {
    const { get, setStored } = await models()
    const other = { ...HOUSE, name: 'other' }
    setStored([HOUSE, other])
    const [before, beside] = [get('house:llama'), get('other:llama')]
    setStored([{ ...HOUSE }, other])
    expect(get('house:llama')).toBe(before)
    setStored([{ ...HOUSE, apiKey: 'new' }, other])
    expect(get('house:llama')).not.toBe(before)
    expect(get('other:llama')).toBe(beside)
  })

  test('do not replace what settings say', async () => {
    const { providers, setStored } = await models({ ANTHROPIC_API_KEY: 'k' })
    const before = await providers()
    setStored([{ name: 'anthropic', kind: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1' }])
    expect(await providers()).toEqual(before)
  })

  test('are told with what they lack', async () => {
    const { get, setStored } = await models()
    setStored([
      { name: 'work', kind: 'openai' },
      { name: 'house', kind: 'openai-compatible' },
    ])
    expect(() => get('work:gpt-4o')).toThrow('The model work:gpt-4o cannot be used: no key is stored for work.')
    expect(() => get('house:llama')).toThrow('no base URL is stored for house')
  })

  test.each([
    '..',
    '../files/one',
    'tuned/../../files',
    'a\\..\\b',
    '%2e%2E/files',
    'files/one?x=',
    'one#',
    'one\ntwo',
  ])('are not asked at another place for a model called %j', async (id) => {
    const { get, setStored } = await models()
    setStored([{ name: 'google', kind: 'google', apiKey: 'k' }])
    expect(() => get(`google:${id}`)).toThrow('There is no model')
    expect(get('google:tunedModels/mine-1.5').modelId).toBe('tunedModels/mine-1.5')
  })

  verifies('GOV-22', 'that are marked as local cost nothing', async () => {
    const { get, setStored } = await models()
    setStored([HOUSE])
    expect(get('house:llama').prices).toBeUndefined()
    setStored([{ ...HOUSE, local: true }])
    expect(get('house:llama').prices).toEqual({ input: 0, output: 0 })
  })
})
