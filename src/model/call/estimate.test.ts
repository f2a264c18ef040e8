import { expect, test } from 'vitest'
import type { Prompt } from '../../contract/prompt.ts'
import { maxPromptTokens, promptTokens, tokenFactor } from './estimate.ts'

const part = { layer: 'core', id: 'core', hash: '' } as const
const empty: Prompt = { parts: [], messages: [], notes: [] }
const words = 'word '.repeat(100)
const prompts: Readonly<Record<string, Prompt>> = {
  parts: { ...empty, parts: [{ ...part, text: words }] },
  messages: { ...empty, messages: [{ role: 'user', content: [{ type: 'text', text: words }], eventIds: [] }] },
  notes: { ...empty, notes: [words] },
}

test.each(Object.entries(prompts))('the %s of a prompt count', async (_, prompt) => {
  const counted = await promptTokens(prompt, [], { provider: 'openai' }, Infinity)
  expect(counted).toBeGreaterThanOrEqual(100)
  expect(counted).toBeLessThan(105)
  expect(maxPromptTokens(prompt, [])).toBe(3 * words.length)
})

test('tokens are counted with the tokenizer of the model where there is one, and else rather too high', () => {
  const factors = (...providers: string[]) => providers.map((provider) => tokenFactor({ provider }))
  expect(factors('openai', 'openai-chat', 'openai.responses', 'scripted')).toEqual([1, 1, 1, 1])
  expect(factors('anthropic', 'google', 'deepseek', 'ollama', 'openai-compatible', 'mine')).toEqual(Array(6).fill(1.3))
})
