import type { LanguageModelV4 } from '@ai-sdk/provider'
import { expect } from 'vitest'
import { failureSentence } from '../../../src/model/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const PARTIAL = 'Once upon a time'
const stalling: Opening = { turns: [{ text: `${PARTIAL} there was`, fault: { kind: 'stall', afterDeltas: 1 } }] }
const silent: Opening = { turns: [{ fault: { kind: 'stall' } }] }
const talking: Opening = { turns: [{ text: 'blah '.repeat(2000), deltaChars: 5, delayMs: 2 }] }

const ended: Record<string, Opening> = {
  'its total time is up while the model is silent': { ...silent, limits: { TOTAL_MS: 60 } },
  'its total time is up while the model talks': { ...talking, limits: { TOTAL_MS: 60 } },
  'its total time is up while it waits to ask the model again': {
    turns: [{ fault: { kind: 'error', status: 500 } }],
    limits: { TOTAL_MS: 60, RETRY_BASE_MS: 60_000 },
  },
  'the model never begins': { ...silent, limits: { MODEL_CALL_MS: 40, RETRIES: 0 } },
  'the model falls silent': { ...stalling, limits: { CONTENT_GAP_MS: 400, RETRIES: 0 } },
  'every attempt at a model call takes too long': {
    ...silent,
    repeat: true,
    limits: { MODEL_CALL_MS: 20, RETRIES: 2 },
  },
}

for (const protocol of ['unified', 'triggered'] as const) {
  for (const [when, opening] of Object.entries(ended)) {
    verifies('GOV-7', `${protocol}: ends with timeout and a text that says so when ${when}`, async () => {
      const segno = await segnoUnderTest(opening)
      const { events, content, finishReason } = await segno.ask('Go.', { protocol })
      expect(finishReason).toBe('timeout')
      expect(content).toBe('(Stopped: this took longer than it may.)')
      expect(said(events, 'message.assistant').at(-1)).toMatchObject({ own: true, final: true })
    })
  }
}

verifies('COO-6', 'a provider that wants to be asked again in a year is given up at once', async () => {
  const segno = await segnoUnderTest({
    turns: [{ fault: { kind: 'error', status: 429, retryAfterMs: 31_536_000_000 } }],
  })
  const { events, finishReason } = await segno.ask()
  expect(finishReason).toBe('error')
  expect(said(events, 'turn.retried')).toEqual([])
  expect(said(events, 'notice').map(({ text }) => text)).toEqual([failureSentence('rate limited')])
})

for (const limits of [{ TOTAL_MS: 400 }, { CONTENT_GAP_MS: 400, RETRIES: 0 }]) {
  verifies(
    ['GOV-7', 'LIN-4'],
    `keeps what the model had said, marked, when ${Object.keys(limits)[0]} ends it`,
    async () => {
      const segno = await segnoUnderTest({ ...stalling, limits })
      const { events } = await segno.ask()
      const [kept, farewell] = said(events, 'message.assistant')
      expect(kept).toMatchObject({
        content: [{ type: 'text', text: PARTIAL }],
        interrupted: true,
        stopReason: 'timeout',
      })
      expect(kept?.final).toBe(false)
      expect(farewell?.own).toBe(true)
    },
  )
}

verifies('GOV-7', 'a model that is slow but never silent may talk for longer than it may take to begin', async () => {
  const text = 'word '.repeat(60)
  const segno = await segnoUnderTest({
    turns: [{ text, deltaChars: 5, delayMs: 30 }],
    limits: { MODEL_CALL_MS: 1200, CONTENT_GAP_MS: 10_000 },
  })
  const { content } = await segno.ask()
  expect(content).toBe(text)
})

const deaf: Record<string, (scripted: LanguageModelV4) => LanguageModelV4> = {
  'never answers': (scripted) => ({ ...scripted, doStream: () => new Promise(() => {}) }),
  'never ends its stream': (scripted) => ({
    ...scripted,
    doStream: async () => ({ stream: new ReadableStream() }),
  }),
}
for (const [how, model] of Object.entries(deaf)) {
  verifies('GOV-7', `a provider that ${how} and is deaf to its signal does not hold the round`, async () => {
    const segno = await segnoUnderTest({ model, limits: { TOTAL_MS: 60 } })
    const { finishReason } = await segno.ask()
    expect(finishReason).toBe('timeout')
  })
}

verifies('GOV-7', 'limits longer than any timer do not end a round at once', async () => {
  const ages = 3_000_000_000
  const segno = await segnoUnderTest({
    tools: [probe('look', { run: () => new Promise((resolve) => setTimeout(resolve, 20, 'seen')) })],
    turns: [{ calls: [{ name: 'look' }] }, { text: 'Done.', delayMs: 5, deltaChars: 1 }],
    limits: { TOTAL_MS: ages, MODEL_CALL_MS: ages, CONTENT_GAP_MS: ages, TOOL_MS: ages, TOOL_MAX_MS: ages },
  })
  const { finishReason, calls } = await segno.ask()
  expect(calls).toMatchObject([{ outcome: 'ok' }])
  expect(finishReason).toBe('complete')
})
