import { expect, test } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import type { Model } from '../model.ts'
import type { Script } from '../scripted/script.ts'
import { createScriptedModel } from '../scripted/scripted-model.ts'
import { askModel, maxUsageOfQuestion, type Question } from './ask-model.ts'
import { createBreakers } from './breaker.ts'

const patience = { connectMs: 5000, firstContentMs: 5000, contentGapMs: 5000, modelCallMs: 5000 }
const question: Question = { system: 'Be brief.', text: 'Why?' }

function modelOf(script: Script) {
  const asked: (number | undefined)[] = []
  const scripted = createScriptedModel(script)
  const model: Model = {
    key: 'm',
    provider: 'scripted',
    modelId: 'scripted',
    window: 1000,
    maxOutput: 100,
    prices: { input: 1_000_000, output: 2_000_000 },
    language: {
      ...scripted,
      doStream(options) {
        asked.push(options.maxOutputTokens)
        return scripted.doStream(options)
      },
    },
  }
  return { model, asked }
}

function ask(model: Model, more: Partial<Question> = {}, signal = new AbortController().signal) {
  const breakers = createBreakers({ failures: 5, openMs: 1000 }, systemClock)
  return askModel(model, { ...question, ...more }, { patience, answerChars: 1000, breakers, signal })
}

test('an answer comes with its usage and cost', async () => {
  const { model } = modelOf({ otherwise: { text: 'Because.', usage: { input: 10, output: 3 } } })
  expect(await ask(model)).toEqual({
    text: 'Because.',
    usage: { input: 10, output: 3 },
    cost: 16,
    stopReason: 'end_turn',
  })
})

test('a failure is a result, whatever fails', async () => {
  const refused = modelOf({ otherwise: { fault: { kind: 'error', status: 500 } } }).model
  expect(await ask(refused)).toMatchObject({ text: '', cost: 0, failure: { reason: 'the provider answered 500' } })
  const cut = modelOf({
    otherwise: { text: 'half of it', deltaChars: 4, fault: { kind: 'cut', afterDeltas: 1 } },
  }).model
  expect(await ask(cut)).toMatchObject({ text: 'half', failure: { reason: 'the stream was cut' } })
  const stalled = modelOf({ otherwise: { fault: { kind: 'stall' } } }).model
  expect(await ask(stalled, {}, AbortSignal.timeout(10))).toMatchObject({ failure: { reason: 'stopped' } })
})

test('the purpose reaches the scripted model', async () => {
  const { model } = modelOf({ scenarios: [{ when: '', purpose: 'title', turns: [{ text: 'A title' }] }] })
  expect((await ask(model, { purpose: 'title' })).text).toBe('A title')
  expect((await ask(model)).text).toBe('Echo: Why?')
})

test('an answer can be asked to be shorter, never longer, than the model allows', async () => {
  const { model, asked } = modelOf({})
  await ask(model, { maxOutput: 20 })
  await ask(model, { maxOutput: 5000 })
  expect(asked).toEqual([20, 100])
})

test('the most it can use is every byte and the longest answer', () => {
  const { model } = modelOf({})
  const bytes = question.system.length + question.text.length
  expect(maxUsageOfQuestion(model, question)).toEqual({ tokens: bytes + 200, cost: bytes + 100 + 200 })
  expect(maxUsageOfQuestion(model, { ...question, maxOutput: 20 }).tokens).toBe(bytes + 120)
})
