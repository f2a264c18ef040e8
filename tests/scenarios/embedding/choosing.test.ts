import { describe, expect, test } from 'vitest'
import { openSegno } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { DIMENSIONS, embeddingServer } from './support/embedding-server.ts'

const withEmbeddings = (SEGNO_EMBEDDINGS: string, more: Record<string, string> = {}) =>
  openSegno({ env: { SEGNO_MODEL: 'scripted', SEGNO_EMBEDDINGS, ...more } })

describe('what turns texts into vectors', () => {
  test('is built in, unless a provider is named', async () => {
    const { embedder } = await openSegno({ env: { SEGNO_MODEL: 'scripted' } })
    expect([embedder.key, embedder.dimensions]).toEqual(['built-in:sentence-encoder-lite-en', 512])
  })

  test.each(['openai', 'openai-compatible', 'ollama', 'google', 'house'])('can be a model of %s', async (provider) => {
    const { url } = await embeddingServer([])
    const { embedder } = await withEmbeddings(`${provider}:m@${DIMENSIONS}`, {
      OPENAI_API_KEY: 'k',
      GOOGLE_GENERATIVE_AI_API_KEY: 'k',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
      OLLAMA_BASE_URL: url,
      SEGNO_PROVIDERS: JSON.stringify({ house: { baseURL: `${url}/v1` } }),
      GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta`,
    })
    const [vector] = await embedder.embed(['hello'])
    expect([embedder.key, vector?.length]).toEqual([`${provider}:m@${DIMENSIONS}`, DIMENSIONS])
  })

  test.each([
    ['what is no name', 'words', 'expected built-in or <provider>:<model> of a provider that has embeddings'],
    [
      'a provider without',
      'anthropic:x@10',
      'expected built-in or <provider>:<model> of a provider that has embeddings',
    ],
    ['a provider nobody knows', 'acme:m@8', 'there is no provider acme'],
    ['one that is not set up', 'openai:text-embedding-3-small', 'OPENAI_API_KEY is not set'],
    ['one of unknown dimensions', 'ollama:m', 'say how many numbers its vectors have: ollama:m@<dimensions>'],
  ])('is not %s: the start stops and says why', async (_, name, why) => {
    const { code, message } = await problemOf(withEmbeddings(name))
    expect([code, message]).toEqual(['CONFIG_ERROR', `Segno cannot start: SEGNO_EMBEDDINGS is "${name}": ${why}.`])
  })
})
