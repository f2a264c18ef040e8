import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'

/** A server on this machine that answers one path with JSON. */
async function listing(path: string, body: object): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === path ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'
const standardWith = async (env: Record<string, string>): Promise<[string, string]> => {
  const { model, modelChosenBecause } = await openSegno({ env: { OLLAMA_BASE_URL: NOWHERE, ...env } })
  return [model, modelChosenBecause]
}

describe('the default model', () => {
  verifies('GOV-6', 'is that of the first provider whose key is set', async () => {
    expect(await standardWith({ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' })).toEqual([
      'claude-sonnet',
      'ANTHROPIC_API_KEY is set',
    ])
    expect(await standardWith({ OPENAI_API_KEY: 'k' })).toEqual(['gpt-6.1-sol', 'OPENAI_API_KEY is set'])
    expect((await standardWith({ DEEPSEEK_API_KEY: 'k' }))[0]).toBe('deepseek-chat')
    expect((await standardWith({ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }))[0]).toBe('gemini-flash')
  })

  verifies('GOV-6', 'is the one that was named, whatever keys there are', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }
    expect((await standardWith({ ...env, SEGNO_MODEL: 'gpt-4o' }))[0]).toBe('gpt-4o')
    expect((await standardWith({ ...env, SEGNO_MODEL: 'openai:gpt-99' }))[0]).toBe('openai:gpt-99')
    expect((await standardWith({ ...env, SEGNO_MODEL: 'scripted' }))[0]).toBe('scripted')
  })

  verifies('GOV-6', 'is what a local Ollama has, if it answers', async () => {
    const url = await listing('/api/tags', { models: [{ name: 'llama-4:8b' }, { name: 'other' }] })
    expect(await standardWith({ OLLAMA_BASE_URL: url })).toEqual(['ollama:llama-4:8b', 'ollama answers and has it'])
  })

  verifies('GOV-6', 'is what an OpenAI-compatible server has, if it says so', async () => {
    const url = await listing('/v1/models', { data: [{ id: 'qwen' }] })
    expect((await standardWith({ OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }))[0]).toBe('openai-compatible:qwen')
  })

  verifies('GOV-6', 'is the scripted one when there is nothing else, and it is said why', async () => {
    const [model, why] = await standardWith({})
    expect(model).toBe('scripted')
    expect(why).toContain('OLLAMA_BASE_URL names does not say which models it has')
    expect(why).toContain('ANTHROPIC_API_KEY')
  })

  test('stops the start when it cannot be used, and says what is missing', async () => {
    const { message } = await problemOf(openSegno({ env: { SEGNO_MODEL: 'claude-opus' } }))
    expect(message).toBe('The model claude-opus cannot be used: ANTHROPIC_API_KEY is not set.')
  })
})

describe('settings of providers', () => {
  test('that are wrong stop the start without showing what they hold', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk secret', OPENAI_BASE_URL: 'sk-secret' }
    const { code, message } = await problemOf(openSegno({ env }))
    expect(code).toBe('CONFIG_ERROR')
    expect(message).toContain('ANTHROPIC_API_KEY holds a space')
    expect(message).toContain('OPENAI_BASE_URL is not an address')
    expect(message).not.toContain('secret')
  })

  test('that are empty are not set', async () => {
    expect((await standardWith({ ANTHROPIC_API_KEY: ' ', OPENAI_API_KEY: '' }))[0]).toBe('scripted')
  })

  test('of the registry that are wrong stop the start', async () => {
    const { message } = await problemOf(openSegno({ env: { SEGNO_MODELS: '{"mine":{"provider":"acme"}}' } }))
    expect(message).toContain('SEGNO_MODELS: mine.provider: expected one of anthropic')
  })
})

describe('models are told', () => {
  verifies('GOV-6', 'with what is usable, what is missing and why', async () => {
    const segno = await openSegno({
      env: {
        OPENAI_API_KEY: 'k',
        SEGNO_MODELS: JSON.stringify({ mine: { provider: 'openai', model: 'm', fallback: 'gpt-4o' } }),
      },
    })
    const response = await segno.fetch(new Request('http://127.0.0.1:4747/api/models'))
    const { items } = (await response.json()) as { items: Record<string, unknown>[] }
    const of = (key: string) => items.find((item) => item['key'] === key)
    expect(of('gpt-6.1-sol')).toMatchObject({ provider: 'openai', model: 'gpt-6.1-sol', usable: true, standard: true })
    expect(of('mine')).toMatchObject({ usable: true, standard: false, fallback: 'gpt-4o', window: 128_000 })
    expect(of('claude-sonnet')).toMatchObject({ usable: false, missing: 'ANTHROPIC_API_KEY is not set' })
    expect(of('scripted')).toMatchObject({ usable: true, prices: { input: 0, output: 0 } })
    expect(JSON.stringify(items)).not.toContain('"k"')
  })

  test('to who asks for one that is not set up, or not known', async () => {
    const segno = await openSegno({ env: { SEGNO_MODEL: 'scripted' } })
    const { message } = await problemOf(segno.createSession({ model: 'gpt-4o' }))
    expect(message).toBe('The model gpt-4o cannot be used: OPENAI_API_KEY is not set.')
    const { id } = await segno.createSession()
    const unknown = await problemOf(segno.rounds.send(LOCAL_OWNER, id, 'hello', { model: 'hal' }))
    expect(unknown.message).toContain('There is no model hal. Known here: scripted')
  })
})
