import { describe, expect, test } from 'vitest'
import { compatibleServer } from '../../support/compatible-server.ts'
import { done, ollamaServer, says } from '../../support/ollama-server.ts'
import { verifies } from '../../support/verifies.ts'
import { newHome, segno } from '../account/support/cli.ts'
import { openSegno } from '../library/support/open-segno.ts'

/** As much time as a busy machine needs. */
const PATIENT = { PROBE_MS: 20_000, LIST_MS: 20_000 }
const PATIENTLY = { SEGNO_LIMITS_PROBE_MS: '20000', SEGNO_LIMITS_LIST_MS: '20000' }
const NOWHERE = 'http://127.0.0.1:9'
const NO_TOOLS = { capabilities: ['completion', 'vision'], model_info: { 'gemma3.context_length': 8192 } }
const ALL = { capabilities: ['completion', 'tools', 'thinking'], model_info: { 'qwen3.context_length': 262_144 } }
const EMBEDS = { capabilities: ['embedding'], model_info: {} }

describe('the models of a server', () => {
  verifies('GOV-6', 'of Ollama are all listed, with what Ollama tells about them', async () => {
    const { baseURL } = await ollamaServer([], { 'gemma3:4b': NO_TOOLS, 'qwen3:8b': ALL, vectors: EMBEDS })
    const open = await openSegno({ env: { OLLAMA_BASE_URL: baseURL, SEGNO_MODEL: 'scripted' }, limits: PATIENT })
    const all = (await open.models()).filter(({ provider }) => provider === 'ollama')
    expect(all.map(({ key }) => key)).toEqual(['ollama:gemma3:4b', 'ollama:qwen3:8b'])
    expect(all[0]).toMatchObject({ tools: false, reasoning: false, files: 'pictures', window: 8192, maxOutput: 2048 })
    // Ollama takes memory for all of a window.
    expect(all[1]).toMatchObject({ tools: true, reasoning: true, files: 'none', window: 16_000, maxOutput: 4000 })
    expect(all[0]?.prices).toEqual({ input: 0, output: 0 })
  })

  verifies('GOV-6', 'with the Chat Completions API are all listed, with what it tells about them', async () => {
    const { baseURL } = await compatibleServer([
      {},
      { id: 'vllm-model', max_model_len: 32_768 },
      { id: 'router/model', context_length: 64_000, top_provider: { max_completion_tokens: 8000 } },
      { id: 'plain' },
      { id: 'asked', supported_parameters: ['temperature'], architecture: { input_modalities: ['text', 'image'] } },
      { id: 'able', max_context_length: 40_000, capabilities: { function_calling: false, vision: false } },
      { id: '' },
      { id: 'x'.repeat(201) },
      { id: 'text-embed-1' },
    ])
    const env = {
      OLLAMA_BASE_URL: NOWHERE,
      SEGNO_PROVIDERS: JSON.stringify({ house: { baseURL } }),
      SEGNO_MODELS: JSON.stringify({ mine: { provider: 'house', model: 'vllm-model' } }),
      SEGNO_MODEL: 'scripted',
    }
    const open = await openSegno({ env, limits: PATIENT })
    const models = await open.models()
    const of = (key: string) => models.find((one) => one.key === key)
    expect(of('house:vllm-model')).toMatchObject({ window: 32_768, maxOutput: 4000 })
    expect(of('mine'), 'also for an entry that says nothing of it').toMatchObject({ window: 32_768 })
    expect(of('house:router/model')).toMatchObject({ window: 64_000, maxOutput: 8000 })
    expect(of('house:plain')).toMatchObject({ window: 128_000, maxOutput: 4000 })
    expect(of('house:asked')).toMatchObject({ tools: false, takesTemperature: true, files: 'pictures' })
    expect(of('house:able')).toMatchObject({ tools: false, files: 'none', window: 40_000 })
    expect(models.filter(({ provider }) => provider === 'house')).toHaveLength(6)
  })

  test('are as many as LIST_MODELS at most, and are not asked for again at once', async () => {
    const { baseURL, requests } = await compatibleServer([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    const env = { OLLAMA_BASE_URL: NOWHERE, OPENAI_COMPATIBLE_BASE_URL: baseURL, SEGNO_MODEL: 'scripted' }
    const open = await openSegno({ env, limits: { ...PATIENT, LIST_MODELS: 2 } })
    const count = async () => (await open.models()).filter(({ provider }) => provider === 'openai-compatible').length
    expect([await count(), await count()]).toEqual([2, 2])
    expect(requests).toHaveLength(1)
  })

  verifies('GOV-22', 'say no price that is believed, unless it is OpenRouter that says it', async () => {
    const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' }
    const { baseURL } = await compatibleServer([{ id: 'v/m', pricing }])
    const env = {
      OLLAMA_BASE_URL: NOWHERE,
      OPENAI_COMPATIBLE_BASE_URL: baseURL,
      OPENROUTER_API_KEY: 'k',
      OPENROUTER_BASE_URL: baseURL,
      SEGNO_MODEL: 'scripted',
    }
    const models = await (await openSegno({ env, limits: PATIENT })).models()
    const prices = (key: string) => models.find((one) => one.key === key)?.prices
    expect(prices('openai-compatible:v/m')).toBeUndefined()
    expect(prices('openrouter:v/m')).toEqual({ input: 3_000_000, output: 15_000_000, cachedRead: 300_000 })
  })

  verifies('GOV-22', 'that has no tools is offered none, once Ollama has said so', async () => {
    const { baseURL, requests } = await ollamaServer([[says('Hello.'), done()]], { 'gemma3:4b': NO_TOOLS })
    const open = await openSegno({ builtInTools: true, env: { OLLAMA_BASE_URL: baseURL }, limits: PATIENT })
    expect(open.model).toBe('ollama:gemma3:4b')
    const { id } = await open.createSession()
    await (
      await open.streamRequest(id, 'hello')
    ).completion
    expect(requests[0]?.tools ?? []).toEqual([])
    expect(requests[0]?.options.num_ctx).toBe(8192)
  })

  test('that are slow to be listed delay no round', async () => {
    const { baseURL, requests } = await ollamaServer([[says('Hello.'), done()]], { 'qwen3:8b': 'never' })
    const open = await openSegno({ env: { OLLAMA_BASE_URL: baseURL, SEGNO_MODEL: 'ollama:qwen3:8b' } })
    const { id } = await open.createSession()
    expect(await (await open.streamRequest(id, 'hello')).completion).toMatchObject({ content: 'Hello.' })
    expect(requests).toHaveLength(1)
  })

  test('are listed by segno models', async () => {
    const { baseURL } = await ollamaServer([], { 'gemma3:4b': NO_TOOLS, 'qwen3:8b': ALL })
    const { out } = await segno(newHome(), ['models'], { OLLAMA_BASE_URL: baseURL, ...PATIENTLY })
    expect(out).toMatch(/\+ {2}ollama:gemma3:4b \(default\) .* 8,192 tokens {2,}\$0.00 in, \$0.00 out {2}has no tools/)
    expect(out).toMatch(/\+ {2}ollama:qwen3:8b .* 16,000 tokens/)
    expect(out).not.toContain('claude-sonnet')
    const json = await segno(newHome(), ['models', '--all', '--provider', 'anthropic', '--json'], {})
    const [first] = JSON.parse(json.out) as { capabilities: object; missing: string }[]
    expect(first).toMatchObject({ missing: 'ANTHROPIC_API_KEY is not set', capabilities: { tools: true } })
  })
})
