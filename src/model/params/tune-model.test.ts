import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import type { ModelParams } from '../../contract/model-params.ts'
import type { Model } from '../model.ts'
import { takesSchema, tuneModel } from './tune-model.ts'

const model = (provider: string, modelId: string, more: Partial<Model> = {}): Model =>
  ({ key: 'm', provider, modelId, window: 100_000, maxOutput: 4000, temperature: 0.7, ...more }) as Model

const without = (params: ModelParams, of: Model): string[] => tuneModel(of, params).leftOut.map(({ field }) => field)

verifies('GOV-22', 'a model has the parameters it takes, and keeps its own where it takes none', () => {
  const claude = model('anthropic', 'claude-haiku-4-5')
  expect(tuneModel(claude, { temperature: 0.1, maxOutput: 10 }).model).toMatchObject({
    temperature: 0.1,
    maxOutput: 10,
  })
  expect(tuneModel(claude, { maxOutput: 1_000_000 }).model.maxOutput).toBe(4000)
  expect(tuneModel(claude, { temperature: 1.7 }).model.temperature).toBe(0.7)
  const plain = model('openai', 'gpt-4o', { reasoning: false })
  expect(tuneModel(plain, { effort: 'high' }).model).not.toHaveProperty('effort')
  // It does not think anyway.
  expect(tuneModel(plain, { effort: 'none' })).toMatchObject({ leftOut: [] })
  expect(tuneModel(plain, { effort: 'none' }).model).not.toHaveProperty('effort')
})

test('tuning a tuned model changes nothing', () => {
  const params = { effort: 'high', temperature: 2, toolChoice: 'required', maxOutput: 99 } as const
  for (const one of [model('anthropic', 'claude-opus-5-5'), model('openai', 'gpt-4o'), model('ollama', 'llama')]) {
    const once = tuneModel(one, params)
    expect(tuneModel(once.model, params)).toEqual(once)
  }
})

verifies('GOV-22', 'a forced call is left out wherever thinking or the provider forbids it', () => {
  const forced = { toolChoice: 'required' } as const
  expect(without(forced, model('ollama', 'llama'))).toEqual(['toolChoice'])
  expect(without(forced, model('anthropic', 'claude-opus-5'))).toEqual(['toolChoice'])
  expect(without({ ...forced, effort: 'none' }, model('anthropic', 'claude-opus-5'))).toEqual([])
  expect(without({ ...forced, effort: 'none' }, model('anthropic', 'claude-fable-5-2'))).toEqual([
    'effort',
    'toolChoice',
  ])
  expect(without(forced, model('deepseek', 'deepseek-v4-pro'))).toEqual(['toolChoice'])
  expect(without(forced, model('deepseek', 'deepseek-v4-flash', { effort: 'none' }))).toEqual([])
  expect(without(forced, model('google', 'gemini-3.8-flash', { tools: false }))).toEqual(['toolChoice'])
  expect(without(forced, model('somebody', 'else'))).toEqual([])
})

describe('a schema', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } } as const
  const takes = (provider: string, modelId: string, hasTools: boolean, structuredOutput = true): boolean =>
    takesSchema(model(provider, modelId, { structuredOutput }), schema, hasTools)

  test.each([
    ['openai', 'gpt-4o', true, true],
    ['anthropic', 'claude-haiku-4-5', true, true],
    ['google', 'gemini-2.5-flash', true, false],
    ['google', 'gemini-3.8-flash', true, true],
    ['ollama', 'llama', true, false],
    ['openai-compatible', 'llama', true, true],
    ['deepseek', 'deepseek-v4-pro', false, false],
  ])('goes to %s %s without tools: %s, with tools: %s', (provider, modelId, alone, beside) => {
    expect([takes(provider, modelId, false), takes(provider, modelId, true)]).toEqual([alone, beside])
    expect(takes(provider, modelId, false, false)).toBe(false)
  })
})
