import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { systemClock } from '../../lib/clock.ts'
import { STREAMS_ONLY, type Model } from '../model.ts'
import type { ModelRequest } from '../render/render.ts'
import { createBreakers } from './breaker.ts'
import { callModel } from './call-model.ts'

type Part = LanguageModelV4StreamPart

const REQUEST: ModelRequest = {
  prompt: {
    parts: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }], eventIds: [] }],
    notes: [],
  },
  tools: [],
  mayUseTools: true,
  sessionId: 's',
  requestId: 'r',
  files: new Map(),
}

/** A call of a model whose provider sends these parts. */
function answerTo(parts: Iterable<Part>) {
  const model: Model = {
    key: 'hostile',
    provider: 'hostile',
    modelId: 'hostile',
    window: 100_000,
    maxOutput: 1000,
    prices: { input: 1_000_000, output: 1_000_000 },
    language: {
      ...STREAMS_ONLY,
      provider: 'hostile',
      modelId: 'hostile',
      doStream: async () => ({ stream: ReadableStream.from(parts) }),
    },
  }
  const hooks = {
    onDelta: () => {},
    onArgs: () => {},
    onRetry: async () => false,
    fallback: () => undefined,
    request: async () => REQUEST,
  }
  const patience = { connectMs: 20_000, firstContentMs: 20_000, contentGapMs: 20_000, hurried: false }
  return callModel(model, hooks, {
    firstCall: 1,
    oneCall: false,
    newCallId: () => 'c',
    patience,
    answerChars: 100_000,
    retries: 0,
    retryBaseMs: 1,
    retryAfterMs: 1000,
    breakers: createBreakers({ failures: 0, openMs: 1 }, systemClock),
    signal: new AbortController().signal,
  })
}

const SAID: Part[] = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Hello.' },
  { type: 'text-end', id: '1' },
]

function finish(input: number, output: number, unified: 'stop' | 'error' = 'stop', cacheRead?: number): Part {
  return {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite: undefined },
      outputTokens: { total: output, text: undefined, reasoning: undefined },
    },
  }
}

for (const [what, end] of Object.entries({
  'less than none': finish(-1_000_000, 3),
  'more than can be counted': finish(Infinity, 3),
  'half a token': finish(10, 0.5),
  'less than none from its cache': finish(10, 3, 'stop', -1_000_000),
}))
  verifies('GOV-22', `usage of ${what} is not believed, but estimated`, async () => {
    const { usage, cost } = await answerTo([...SAID, end])
    expect(usage.estimated).toBe(true)
    expect(Number.isSafeInteger(cost)).toBe(true)
    expect(cost).toBeGreaterThan(0)
  })

verifies('GOV-22', 'an answer that failed without a word costs what its provider says', async () => {
  const { failure, usage, cost } = await answerTo([finish(5000, 200, 'error')])
  expect(failure).toBeDefined()
  expect({ usage, cost }).toEqual({ usage: { input: 5000, output: 200 }, cost: 5200 })
})

function* endless(part: (n: number) => Part): Iterable<Part> {
  // Far more than an answer may have, in case nobody stops.
  for (let n = 0; n < 300_000; n++) yield part(n)
  yield finish(1, 1)
}

const LONG = 'x'.repeat(2000)
const detail = (index: number) => ({ type: 'reasoning.encrypted', index })

for (const [what, parts] of Object.entries({
  'calls without arguments': () => endless((n) => ({ type: 'tool-input-start', id: `call-${n}`, toolName: 'look' })),
  'calls with long names': () =>
    endless((n) => ({ type: 'tool-call', toolCallId: `${n}`, toolName: 'look'.repeat(99), input: '{}' })),
  'empty files': () => endless(() => ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: '' } })),
  'signed thoughts without words': () =>
    endless((n) => ({ type: 'reasoning-start', id: `${n}`, providerMetadata: { some: { signature: 'x' } } })),
  'long signatures': () =>
    endless((n) => ({ type: 'reasoning-end', id: `${n % 3}`, providerMetadata: { some: { signature: LONG } } })),
  'details of thoughts': () =>
    endless((n) => ({ type: 'raw', rawValue: { choices: [{ delta: { reasoning_details: [detail(n)] } }] } })),
}))
  verifies(['COO-6', 'GOV-7'], `a provider that sends ${what} without end is stopped`, async () => {
    const { failure } = await answerTo(parts())
    expect(failure?.reason).toBe('the answer was longer than ANSWER_CHARS allows')
  })

/** What is shorter than this, in microseconds, is measured too coarsely. */
const LEAST_US = 1000

/** The shortest of three times of this thread on the processor that a thought of so many details takes. */
async function timeOf(details: number): Promise<number> {
  const reasoning_details = Array.from({ length: details }, (_, n) => detail(n))
  const times: number[] = []
  for (let time = 0; time < 3; time++) {
    const before = process.threadCpuUsage()
    await answerTo([{ type: 'raw', rawValue: { choices: [{ delta: { reasoning_details } }] } }, finish(1, 1)])
    const { user, system } = process.threadCpuUsage(before)
    times.push(user + system)
  }
  return Math.max(Math.min(...times), LEAST_US)
}

verifies('COO-6', 'details of a thought take time in proportion to their number, so they hold up nobody', async () => {
  // Ten times as many would take a hundred times as long if each were compared with all the others.
  expect((await timeOf(50_000)) / (await timeOf(5_000))).toBeLessThan(40)
})
