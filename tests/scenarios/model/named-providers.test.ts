import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compatibleServer } from '../../support/compatible-server.ts'
import { verifies } from '../../support/verifies.ts'
import { newHome, segno } from '../account/support/cli.ts'
import { openSegno } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'

/** No Ollama, and as much time as a busy machine needs. */
const NOWHERE = { OLLAMA_BASE_URL: 'http://127.0.0.1:9', SEGNO_LIMITS_PROBE_MS: '20000' }

describe('servers of SEGNO_PROVIDERS', () => {
  verifies('GOV-6', 'answer beside each other, each with its own key, headers and query', async () => {
    const [red, blue] = [await compatibleServer(undefined, 'Red.'), await compatibleServer(undefined, 'Blue.')]
    const providers = {
      red: { baseURL: red.baseURL, keyEnv: 'RED_KEY', headers: { 'x-team': 'a ${RED_TEAM}' }, query: { version: '2' } },
      blue: { kind: 'openai-compatible', baseURL: `${blue.baseURL}/` },
    }
    const env = { ...NOWHERE, SEGNO_PROVIDERS: JSON.stringify(providers), RED_KEY: 'red-key', RED_TEAM: 'team' }
    const segno = await openSegno({ env })
    expect([segno.model, segno.modelChosenBecause]).toEqual(['red:llama', 'red answers and has it'])
    const said = async (model: string) => {
      const { id } = await segno.createSession({ model })
      return (await (await segno.streamRequest(id, 'hello')).completion).content
    }
    expect([await said('red:llama'), await said('blue:other')]).toEqual(['Red.', 'Blue.'])
    const asked = red.requests.findLast(({ path }) => path.startsWith('/v1/chat'))
    expect(asked?.path).toBe('/v1/chat/completions?version=2')
    expect(asked?.headers).toMatchObject({ authorization: 'Bearer red-key', 'x-team': 'a team' })
    expect(blue.requests.filter(({ headers }) => 'authorization' in headers)).toEqual([])
  })

  test('whose settings are wrong stop the start, and no value is shown', async () => {
    const SEGNO_PROVIDERS = JSON.stringify({ red: { baseURL: 'sk-secret', headers: { a: '${SEGNO_KEY}' } } })
    const own = await problemOf(openSegno({ env: { SEGNO_PROVIDERS, SEGNO_KEY: 'sk-secret' } }))
    expect(own.message).toContain('SEGNO_PROVIDERS names SEGNO_KEY, which is a setting of Segno and goes nowhere')
    const wrong = await problemOf(openSegno({ env: { SEGNO_PROVIDERS: SEGNO_PROVIDERS.replace('SEGNO_KEY', 'A') } }))
    expect(wrong.message).toContain('SEGNO_PROVIDERS: red.baseURL: expected an address')
    expect(own.message + wrong.message).not.toContain('sk-secret')
  })

  test('are listed by segno doctor, which shows none of their secrets', async () => {
    const { baseURL } = await compatibleServer()
    const providers = { red: { baseURL, headers: { 'x-key': 'sk-secret' } }, blue: { baseURL, keyEnv: 'BLUE_KEY' } }
    const env = { ...NOWHERE, SEGNO_PROVIDERS: JSON.stringify(providers) }
    const { out } = await segno(newHome(), ['doctor'], env)
    expect(out).toMatch(/\+ {2}red +red:llama is the default model: red answers and has it/)
    expect(out).toMatch(/- {2}blue +BLUE_KEY is not set, which SEGNO_PROVIDERS names/)
    const settings = await segno(newHome(), ['doctor', '--settings'], env)
    expect(settings.out).toMatch(/SEGNO_PROVIDERS +red, blue +- +environment/)
    expect(out + settings.out).not.toContain('sk-secret')
  })
})

/** A home with an installed package of the user's. */
function homeWith(name: string, code: string): string {
  const home = newHome()
  const folder = join(home, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  const description = { name, version: '1.0.0', type: 'module', exports: { '.': { import: './main.js' } } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description))
  writeFileSync(join(folder, 'main.js'), code)
  return home
}

/** Makes models that say which options they were made with. */
const packageFor = (version: string): string => `
  export const createOther = () => { throw new Error('not this one') }
  export const createAcmeModels = (options) => (modelId) => ({
    specificationVersion: '${version}',
    provider: 'acme',
    modelId,
    supportedUrls: {},
    async doStream() {
      const text = [modelId, options.apiKey, options.region, options.headers.team].join(' ')
      const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } }
      return { stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: text },
        { type: 'text-end', id: '1' },
        { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } },
      ]) }
    },
  })`

describe('a package of SEGNO_PROVIDERS', () => {
  const acme = { package: '@corp/acme-models', keyEnv: 'ACME_KEY', options: { region: '${ACME_REGION}' } }
  const env = {
    ...NOWHERE,
    SEGNO_PROVIDERS: JSON.stringify({ acme: { ...acme, headers: { team: 'red' } } }),
    SEGNO_MODEL: 'acme:big',
    ACME_KEY: 'the-key',
    ACME_REGION: 'north',
  }

  verifies('GOV-6', 'is taken from the folder Segno is started in, and gets its options', async () => {
    const { out, code } = await segno(homeWith('@corp/acme-models', packageFor('v4')), ['doctor', '--ask'], env)
    expect(out).toContain('asked     it says "big the-key north red"')
    expect(out).toMatch(/\+ {2}acme +acme:big is the default model: SEGNO_MODEL names it/)
    expect(code).toBe(0)
  })

  test.each<[string, string, RegExp]>([
    ['makes models of another generation', packageFor('v3'), /makes models of version v3, and Segno needs version v4/],
    ['creates nothing', 'export const models = {}', /The package @corp\/acme-models has no create… function/],
    ['fails', 'throw new Error("no such region")', /no such region/],
  ])('that %s is told by segno doctor', async (_, code, fault) => {
    const { out } = await segno(homeWith('@corp/acme-models', code), ['doctor', '--json'], env)
    const { providers } = JSON.parse(out) as { providers: { name: string; usable: boolean; note: string }[] }
    const found = providers.find(({ name }) => name === 'acme')
    expect(found?.usable).toBe(false)
    expect(found?.note).toMatch(fault)
  })

  test('that is not installed is named with the command that installs it', async () => {
    const { out, code } = await segno(newHome(), ['doctor'], env)
    expect(code).toBe(1)
    expect(out).toContain('The model acme:big cannot be used: the package @corp/acme-models is not installed')
    expect(out).toContain('npm install @corp/acme-models')
  })
})
