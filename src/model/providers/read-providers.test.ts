import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { readProviders } from './read-providers.ts'

const HOUSE = { baseURL: 'http://127.0.0.1:8000/v1' }
const read = (providers: unknown, settings: Record<string, string> = {}) =>
  readProviders(typeof providers === 'string' ? providers : JSON.stringify(providers), settings)
const one = (provider: object, settings: Record<string, string> = {}) =>
  read({ house: provider }, settings).providers[0]

describe('SEGNO_PROVIDERS', () => {
  verifies('GOV-6', 'names servers with their key, headers and query', () => {
    const house = {
      ...HOUSE,
      keyEnv: 'HOUSE_KEY',
      headers: { 'X-Team': 'red', 'X-Token': 'Token ${HOUSE_TOKEN}' },
      query: { 'api-version': '1' },
      quirks: 'deepseek',
      local: true,
    }
    expect(one(house, { HOUSE_KEY: 'k', HOUSE_TOKEN: 't' })).toMatchObject({
      name: 'house',
      kind: 'openai-compatible',
      quirks: 'deepseek',
      baseURL: 'http://127.0.0.1:8000/v1',
      apiKey: 'k',
      headers: { 'X-Team': 'red', 'X-Token': 'Token t' },
      query: { 'api-version': '1' },
      local: true,
    })
  })

  test.each<[string, object]>([
    ['its key', { ...HOUSE, keyEnv: 'HOUSE_KEY' }],
    ['a variable of a header', { ...HOUSE, headers: { a: '${HOUSE_KEY}' } }],
    ['a variable of an option', { package: '@ai-sdk/anthropic', options: { deep: [{ er: '${HOUSE_KEY}' }] } }],
  ])('names a provider that cannot be used as long as %s is not set', (_, provider) => {
    expect(one(provider)?.missing).toBe('HOUSE_KEY is not set, which SEGNO_PROVIDERS names')
    expect(one(provider, { HOUSE_KEY: 'k' })?.missing).toBeUndefined()
  })

  test('names a package, and says how to install one that is not there', () => {
    expect(one({ package: '@ai-sdk/anthropic' })).toMatchObject({ kind: 'package', quirks: 'anthropic' })
    expect(one({ package: '@openrouter/ai-sdk-provider' })).toMatchObject({ quirks: 'openrouter' })
    expect(one({ package: '@acme/models/deep' })?.missing).toBe(
      'the package @acme/models/deep is not installed; in the folder that Segno is started in: npm install @acme/models',
    )
  })

  test('can name a second account of a known provider', () => {
    expect(one({ kind: 'anthropic', keyEnv: 'K2' }, { K2: 'k' })).toMatchObject({
      quirks: 'anthropic',
      baseURL: 'https://api.anthropic.com/v1',
      apiKey: 'k',
    })
  })

  test.each<[string, unknown, RegExp]>([
    ['what is not JSON', '{house', /^SEGNO_PROVIDERS: expected a JSON object such as/],
    ['a name nobody can type', { 'My house': HOUSE }, /"My house" is not a name/],
    ['the name of the scripted model', { scripted: HOUSE }, /"scripted" is not a name/],
    ['a provider that is no object', { house: 'http://127.0.0.1' }, /house: expected an object such as/],
    ['an unknown field', { house: { ...HOUSE, url: 'x' } }, /house.url: expected one of the fields kind, baseURL/],
    ['an unknown kind', { house: { ...HOUSE, kind: 'acme' } }, /house.kind: expected one of anthropic/],
    ['a server without an address', { house: { kind: 'openai-compatible' } }, /house.baseURL: expected an address/],
    ['an address with a password', { house: { baseURL: 'http://a:b@c/' } }, /house.baseURL: expected an address/],
    ['an address too long', { house: { baseURL: `http://c/${'a'.repeat(2000)}` } }, /house.baseURL/],
    ['no key where one is needed', { house: { kind: 'openai' } }, /house.keyEnv: expected the name of the env/],
    ['a key itself', { house: { ...HOUSE, keyEnv: 'sk-secret' } }, /house.keyEnv: expected the name of the env/],
    ['headers that are no texts', { house: { ...HOUSE, headers: { a: 1 } } }, /house.headers: expected names/],
    ['a header on two lines', { house: { ...HOUSE, headers: { a: 'b\r\nc' } } }, /house.headers: expected names/],
    ['a package that is a path', { house: { package: '../evil' } }, /house.package: expected the name of an npm/],
    ['options without a package', { house: { ...HOUSE, options: {} } }, /house.kind: expected "package"/],
    ['unknown quirks', { house: { ...HOUSE, quirks: 'many' } }, /house.quirks: expected one of anthropic/],
  ])('refuses %s, and says what was expected', (_, providers, fault) => {
    const { faults } = read(providers)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
    expect(faults[0]).not.toContain('sk-secret')
  })
})

test.each(['http://:secret@127.0.0.1/v1', 'http://127.0.0.1/v1#secret'])(
  'an address such as %s is refused, because addresses are shown',
  (baseURL) => expect(read({ house: { baseURL } }).faults).toHaveLength(1),
)

test.each(['__proto__', 'constructor', 'toString'])('%s is no variable that is set', (keyEnv) => {
  expect(one({ ...HOUSE, keyEnv })?.missing).toContain(`${keyEnv} is not set`)
})
