import { expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { connections } from './connections.ts'

const found = (name: string, settings: Record<string, string>) => connections(settings).find(name)

verifies('GOV-6', 'the address of Anthropic is the same with its version and without', () => {
  for (const url of ['https://proxy.example.org/a/v1', 'https://proxy.example.org/a', 'https://proxy.example.org/a/'])
    expect(found('anthropic', { ANTHROPIC_BASE_URL: url })?.baseURL).toBe('https://proxy.example.org/a/v1')
})

test.each([
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ['google', 'GEMINI_API_KEY'],
  ['google', 'GOOGLE_API_KEY'],
  ['openrouter', 'OPENROUTER_API_KEY'],
  ['xai', 'XAI_API_KEY'],
  ['mistral', 'MISTRAL_API_KEY'],
  ['groq', 'GROQ_API_KEY'],
])('%s is set up by %s', (name, setting) => {
  expect(found(name, {})?.missing).toMatch(/_API_KEY is not set$/)
  const provider = found(name, { [setting]: 'k' })
  expect(provider).toMatchObject({ apiKey: 'k', why: `${setting} is set` })
  expect(provider?.missing).toBeUndefined()
})

test('the first of several names of a key wins', () => {
  expect(found('google', { GOOGLE_API_KEY: 'b', GEMINI_API_KEY: 'a' })?.apiKey).toBe('a')
})
