import { expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Model } from '../model.ts'
import type { ModelRequest } from '../render/render.ts'
import type { ScriptedTurn } from '../scripted/script.ts'
import { createScriptedModel } from '../scripted/scripted-model.ts'
import { createBreakers } from './breaker.ts'
import { callModel, type CallHooks } from './call-model.ts'

const TOO_LONG: ScriptedTurn = { fault: { kind: 'error', status: 400, code: 'context_length_exceeded' } }
const REASON = 'the conversation is longer than the model can see'
const patience = { connectMs: 5000, firstContentMs: 5000, contentGapMs: 5000, modelCallMs: 5000 }

const asking = (text: string): ModelRequest => ({
  prompt: {
    parts: [],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'before' }], eventIds: [] },
      { role: 'assistant', content: [{ type: 'text', text: 'so' }], eventIds: ['answer'] },
      { role: 'user', content: [{ type: 'text', text }], eventIds: [] },
    ],
    notes: [],
  },
  tools: [],
  mayUseTools: true,
  sessionId: 's',
  requestId: 'r',
  files: new Map(),
})

interface Given {
  readonly turns: readonly ScriptedTurn[]
  /** what comes of asking for a smaller request */
  readonly smaller?: ModelRequest | undefined
  readonly retries?: number
  readonly fallback?: boolean
  readonly allowed?: boolean
}

async function call({ turns, smaller, retries = 0, fallback = false, allowed = true }: Given) {
  const script = { scenarios: [{ when: '', turns }] }
  const model = (key: string): Model => ({
    key,
    provider: 'scripted',
    modelId: key,
    window: 1000,
    maxOutput: 100,
    language: createScriptedModel(script),
  })
  const asked: string[] = []
  const retried: { reason: string; model: string; waitMs: number; sent: ModelRequest }[] = []
  const breakers = createBreakers({ failures: 1, openMs: 60_000 }, systemClock)
  const hooks: CallHooks = {
    onDelta: () => {},
    onArgs: () => {},
    onRetry: async ({ reason, model: key, waitMs }, { request }) => {
      retried.push({ reason, model: key, waitMs, sent: request })
      return allowed
    },
    fallback: () => (fallback ? model('other') : undefined),
    request: async () => asking('long'),
    shrink: async ({ key }) => {
      asked.push(key)
      return smaller
    },
  }
  const result = await callModel(model('first'), hooks, {
    firstCall: 1,
    oneCall: false,
    newCallId: () => 'c',
    patience,
    answerChars: 1000,
    retries,
    retryBaseMs: 1,
    retryAfterMs: 1000,
    breakers,
    signal: new AbortController().signal,
  })
  return { result, asked, retried, open: [...breakers.open().keys()] }
}

const SMALLER = asking('short')
const SAID = { text: 'Echo: {{message}}' }

verifies('COO-6', 'a prompt that is too long is made shorter and tried again, without a retry or a wait', async () => {
  const { result, asked, retried, open } = await call({ turns: [TOO_LONG, SAID], smaller: SMALLER })
  expect(result.parts).toEqual([{ type: 'text', text: 'Echo: short' }])
  expect(asked).toEqual(['first'])
  expect(retried).toEqual([{ reason: `${REASON}, so it is made shorter`, model: 'first', waitMs: 0, sent: SMALLER }])
  expect(open, 'it is no outage').toEqual([])
})

test('thoughts that are refused are left out, and the model answers without them', async () => {
  const refused: ScriptedTurn = { fault: { kind: 'error', status: 400, code: 'invalid_encrypted_content' } }
  const { result, retried } = await call({ turns: [refused, SAID] })
  expect(result.parts).toEqual([{ type: 'text', text: 'Echo: long' }])
  expect(retried).toMatchObject([
    { reason: 'the model no longer takes back its earlier thoughts, so they are left out', waitMs: 0 },
  ])
  expect(retried[0]?.sent.withoutThoughts).toBe('answer')
  const again = await call({ turns: [refused, refused, SAID], retries: 3 })
  expect(again.result.failure).toMatchObject({ badThoughts: true })
})

test('what a model thought stays its own, also if nobody may ask the one that would answer instead', async () => {
  const cut: ScriptedTurn = { reasoning: 'hm', text: 'so', fault: { kind: 'cut', afterDeltas: 2 } }
  const { result, retried } = await call({ turns: [cut], fallback: true, allowed: false })
  expect(retried).toMatchObject([{ model: 'other' }])
  expect(result.parts).toMatchObject([
    { type: 'reasoning', text: 'hm', meta: { of: 'scripted:first' } },
    { text: 'so' },
  ])
})

test('retries are not used up by that', async () => {
  const overloaded: ScriptedTurn = { fault: { kind: 'error', status: 429 } }
  const { result, retried } = await call({ turns: [TOO_LONG, overloaded, SAID], smaller: SMALLER, retries: 1 })
  expect(result.parts).toEqual([{ type: 'text', text: 'Echo: short' }])
  expect(retried.map(({ reason }) => reason)).toEqual([`${REASON}, so it is made shorter`, 'rate limited'])
})

test('it is made shorter once only, then another model may answer', async () => {
  const alone = await call({ turns: [TOO_LONG, TOO_LONG, SAID], smaller: SMALLER, retries: 3 })
  expect(alone.result.failure).toMatchObject({ reason: REASON, tooLong: 'tokens' })
  expect(alone.asked).toEqual(['first'])
  const other = await call({ turns: [TOO_LONG, TOO_LONG, SAID], smaller: SMALLER, fallback: true })
  expect(other.result.parts).toEqual([{ type: 'text', text: 'Echo: long' }])
  expect(other.asked).toEqual(['first'])
})

test('nothing shorter, and not being allowed another attempt, are failures', async () => {
  const nothing = await call({ turns: [TOO_LONG, SAID], smaller: undefined })
  expect(nothing.result.failure).toMatchObject({ tooLong: 'tokens' })
  expect(nothing.retried).toEqual([])
  const denied = await call({ turns: [TOO_LONG, SAID], smaller: SMALLER, allowed: false })
  expect(denied.result.failure).toMatchObject({ tooLong: 'tokens' })
})

test('once something was shown it is too late for that', async () => {
  const later: ScriptedTurn = {
    text: 'Some text',
    fault: { kind: 'error', status: 400, code: 'context_length_exceeded', afterDeltas: 1 },
  }
  const { result, asked } = await call({ turns: [later, SAID], smaller: SMALLER })
  expect(result.failure).toMatchObject({ tooLong: 'tokens' })
  expect(asked).toEqual([])
})
