import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { embedderFromProvider, type ProviderEmbedding } from '../../../src/model/embedding/index.ts'
import { createOllamaEmbedding } from '../../../src/model/ollama/create-ollama.ts'
import { DIMENSIONS, embeddingServer, status, vectorOf, vectors, type Instead } from './support/embedding-server.ts'

const apiKey = 'test'
const MODELS: Readonly<Record<string, (url: string) => EmbeddingModelV4>> = {
  openai: (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).embeddingModel('text-embedding-3-small'),
  google: (url) => createGoogle({ apiKey, baseURL: `${url}/v1beta` }).embeddingModel('gemini-embedding-001'),
  'openai-compatible': (url) =>
    createOpenAICompatible({ name: 'local', apiKey, baseURL: `${url}/v1` }).embeddingModel('bge-m3'),
  ollama: (url) => createOllamaEmbedding({ baseURL: url })('nomic-embed-text'),
}

async function under(name: string, instead: readonly Instead[] = [], more: Partial<ProviderEmbedding> = {}) {
  const { url, requests } = await embeddingServer(instead)
  const model = MODELS[name]?.(url) as EmbeddingModelV4
  const settings = { key: `${name}:test`, dimensions: DIMENSIONS, retryBaseMs: 1, ...more }
  return { embedder: embedderFromProvider(model, settings), requests }
}

async function problemOf(promise: Promise<unknown>): Promise<Problem> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Problem)) throw new Error(`expected a Problem, got ${String(error)}`)
  return error
}

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector)
const expected = (text: string, dimensions = DIMENSIONS) => {
  const vector = vectorOf(text, dimensions)
  return vector.map((number) => expect.closeTo(number / lengthOf(vector), 5) as number)
}

describe.each(Object.keys(MODELS))('%s', (name) => {
  test('gives a vector of length 1 for each text, in their order', async () => {
    const { embedder } = await under(name)
    const texts = ['one', 'three', 'a longer one', 'é'.repeat(50)]
    const found = await embedder.embed(texts)
    expect(found.map((vector) => [...vector])).toEqual(texts.map((text) => expected(text)))
    expect(embedder).toMatchObject({ key: `${name}:test`, dimensions: DIMENSIONS })
  })

  test('embeds one text, and none without asking', async () => {
    const { embedder, requests } = await under(name)
    expect(await embedder.embed([])).toEqual([])
    expect(requests).toEqual([])
    expect(await embedder.embed(['alone'])).toHaveLength(1)
  })

  test('is never asked for more at once than it takes', async () => {
    const { embedder, requests } = await under(name)
    const texts = Array.from({ length: 2500 }, (_, at) => 'x'.repeat((at % 7) + 1))
    const found = await embedder.embed(texts)
    expect(found.map(([first]) => first)).toEqual(texts.map((text) => expected(text)[0]))
    expect(requests.flatMap((request) => request.texts)).toEqual(texts)
  })

  test('is asked again where that may help', async () => {
    const { embedder, requests } = await under(name, [status(429), status(503), (response) => response.destroy()])
    expect(await embedder.embed(['text'])).toHaveLength(1)
    expect(requests).toHaveLength(4)
  })

  test('is given up after the last try', async () => {
    const { embedder, requests } = await under(name, Array(9).fill(status(503)), { retries: 2 })
    const problem = await problemOf(embedder.embed(['text']))
    expect(problem).toMatchObject({
      code: 'MODEL_ERROR',
      message: expect.stringContaining(`${name}:test failed`) as string,
    })
    expect(requests).toHaveLength(3)
  })

  test.each([400, 401, 404])('is not asked again after status %s', async (code) => {
    const { embedder, requests } = await under(name, [status(code)])
    expect(await problemOf(embedder.embed(['text']))).toMatchObject({ code: 'MODEL_ERROR' })
    expect(requests).toHaveLength(1)
  })
})

test('a request is bounded by its size too', async () => {
  const { embedder, requests } = await under('openai')
  const long = 'word '.repeat(6000)
  await embedder.embed(Array<string>(20).fill(long))
  expect(requests.length).toBeGreaterThan(1)
  for (const { texts } of requests) expect(texts.join('').length).toBeLessThanOrEqual(250_000)
})

test('waits as long as the provider asks for', async () => {
  const times: number[] = []
  const busy: Instead = (response) => {
    times.push(performance.now())
    return status(429, { 'retry-after-ms': '80' })(response)
  }
  const { embedder } = await under('openai', [busy])
  await embedder.embed(['text'])
  expect(performance.now() - (times[0] ?? 0)).toBeGreaterThanOrEqual(75)
})

test.each([undefined, new AbortController().signal])(
  'a provider that says nothing is given up in time',
  async (signal) => {
    const { embedder, requests } = await under(
      'openai',
      Array(9).fill(() => {}),
      { callMs: 20, retries: 1 },
    )
    const problem = await problemOf(embedder.embed(['text'], signal))
    expect(problem).toMatchObject({
      code: 'MODEL_ERROR',
      message: expect.stringContaining('longer than 20 ms') as string,
    })
    expect(requests).toHaveLength(2)
  },
)

test('an abort ends the request and the waiting for the next', async () => {
  for (const first of [() => {}, status(503)]) {
    const stop = new AbortController()
    const reason = new Error('enough')
    const then: Instead = (response) => {
      setImmediate(() => stop.abort(reason))
      return first(response)
    }
    const { embedder, requests } = await under('openai', [then], { retryBaseMs: 60_000 })
    await expect(embedder.embed(['text'], stop.signal)).rejects.toBe(reason)
    expect(requests).toHaveLength(1)
  }
})

test('nothing is asked once aborted', async () => {
  const { embedder, requests } = await under('openai')
  await expect(embedder.embed(['text'], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  expect(requests).toEqual([])
})

test.each([
  ['another number of dimensions than declared', vectors([1, 2, 3]), 'CONFIG_ERROR', 'set its dimensions to 3'],
  ['fewer vectors than texts', vectors(), 'MODEL_ERROR', '0 vectors for 1 texts'],
  ['a vector without a direction', vectors([0, 0, 0, 0, 0, 0]), 'MODEL_ERROR', 'no direction'],
])('an answer with %s is refused', async (_, answer, code, told) => {
  const { embedder, requests } = await under('openai', [answer])
  expect(await problemOf(embedder.embed(['text']))).toMatchObject({
    code,
    message: expect.stringContaining(told) as string,
  })
  expect(requests).toHaveLength(1)
})

describe('a text', () => {
  test.each([
    ['that is empty', ['fine', ''], 'texts[1]'],
    ['of nothing but space', [' \n\t'], 'texts[0]'],
    ['that is no text', ['fine', 7], 'texts[1]'],
    ['that is missing', [null], 'texts[0]'],
    ['that is too long', ['fine', 'canary '.repeat(9000)], 'texts[1]'],
  ])('%s is refused by its place, and nothing is sent', async (_, texts, field) => {
    const { embedder, requests } = await under('openai')
    const problem = await problemOf(embedder.embed(texts as string[]))
    expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect(problem.message).toContain(field)
    expect(problem.message).not.toContain('canary')
    expect(requests).toEqual([])
  })

  test('of few tokens may have many bytes', async () => {
    const { embedder } = await under('openai', [], { textTokens: 100 })
    expect(await embedder.embed(['word '.repeat(90)])).toHaveLength(1)
  })

  test('with half a character in it is sent whole', async () => {
    const { embedder, requests } = await under('openai')
    await embedder.embed(['half \ud83d'])
    expect(requests[0]?.texts).toEqual(['half \ufffd'])
  })
})
