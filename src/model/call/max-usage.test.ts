import { array, assert, integer, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import type { Message } from '../../contract/message.ts'
import type { Model } from '../model.ts'
import type { ModelRequest } from '../render/render.ts'
import { costOf } from './cost.ts'
import { maxUsageOf, maxUsage } from './max-usage.ts'

const MODEL = {
  key: 'm',
  provider: 'openai',
  modelId: 'm',
  window: 128_000,
  maxOutput: 1000,
  prices: { input: 1_000_000, output: 2_000_000 },
} as unknown as Model

const said = (...content: Message['content'][number][]): Message =>
  ({ role: content.some(({ type }) => type === 'reasoning') ? 'assistant' : 'user', content, eventIds: [] }) as Message

const asking = (more: Partial<ModelRequest> = {}, ...messages: Message[]): ModelRequest => ({
  prompt: { parts: [], messages: [said({ type: 'text', text: 'Hello.' }), ...messages], notes: [] },
  tools: [],
  mayUseTools: true,
  sessionId: 's',
  requestId: 'r',
  files: new Map(),
  ...more,
})

const tokensOf = async (request: ModelRequest, model: Model = MODEL) => (await maxUsage(request, model)).tokens
const words = (n: number): string => 'word '.repeat(n)

verifies(
  'GOV-9',
  'what is set aside holds the longest answer and all that is sent: tools, files, thoughts',
  async () => {
    const bare = await tokensOf(asking())
    expect(bare).toBeGreaterThan(1000)
    const tools = [
      { name: 'look', description: words(500), jsonSchema: { type: 'object' as const, title: words(500) } },
    ]
    expect(await tokensOf(asking({ tools }))).toBeGreaterThan(bare + 1000)
    // They are described in the last turn of a round too, where none may be used.
    expect(await tokensOf(asking({ tools, mayUseTools: false }))).toBeGreaterThan(bare + 1000)

    const { prompt } = asking()
    expect(await tokensOf(asking({ prompt: { ...prompt, notes: [words(1000)] } }))).toBeGreaterThan(bare + 1000)

    const text = new TextEncoder().encode('ж ш '.repeat(1000))
    const file = { type: 'file', mediaType: 'text/plain', hash: 'h', bytes: text.length } as const
    const files = new Map([['h', text]])
    expect(await tokensOf(asking({ files }, said(file))), 'a text file is counted as text').toBeGreaterThan(bare + 2000)

    const meta = { of: 'openai:m', data: { openai: { encrypted: 'x'.repeat(9000) } } }
    const thought = said({ type: 'reasoning', text: '', meta }, { type: 'text', text: 'So.' })
    expect(await tokensOf(asking({}, thought)), 'thoughts that go back').toBeGreaterThan(bare + 3000)
    const anothers = said(
      { type: 'reasoning', text: '', meta: { ...meta, of: 'openai:n' } },
      { type: 'text', text: 'So.' },
    )
    expect(await tokensOf(asking({}, anothers)), 'those of another model are not sent').toBeLessThan(bare + 100)
  },
)

test('Claude counts more, and is told more about tools', async () => {
  const anthropic = { ...MODEL, provider: 'anthropic', modelId: 'claude-haiku-4-5' } as Model
  const tools = [{ name: 'look', description: words(1000), jsonSchema: { type: 'object' as const } }]
  expect(await tokensOf(asking({ tools }), anthropic)).toBeGreaterThan((await tokensOf(asking({ tools }))) + 800)
})

verifies('GOV-22', 'no call costs more than was set aside for it, whatever its prices and what was cached', () => {
  const tokens = nat(1_000_000)
  const price = nat(100_000_000)
  const rates = { input: price, output: price, cachedRead: price, cachedWrite: price }
  const steps = array(record({ above: integer({ min: 1, max: 1_000_000 }), ...rates }), { maxLength: 4 })
  const prices = record({ ...rates, steps }, { requiredKeys: ['input', 'output'] })
  const used = record({ input: tokens, output: tokens, cachedRead: tokens, cachedWrite: tokens })
  assert(
    property(prices, used, nat(1000), nat(1000), (rated, usage, fewer, shorter) => {
      const { cost = 0 } = maxUsageOf({ maxOutput: usage.output + shorter, prices: rated }, usage.input + fewer)
      expect(costOf(usage, rated)).toBeLessThanOrEqual(cost)
    }),
    { numRuns: 2000 },
  )
})

test('the dearest price of what is sent counts, and no price is none', () => {
  const at = (more: object) =>
    maxUsageOf({ maxOutput: 100, prices: { input: 4_000_000, output: 1_000_000, ...more } }, 10)
  expect(at({})).toEqual({ tokens: 110, cost: 140 })
  expect(at({ cachedWrite: 5_000_000 }).cost).toBe(150)
  expect(at({ cachedRead: 400_000, cachedWrite: 1 }).cost).toBe(140)
  expect(maxUsageOf({ maxOutput: 100 }, 10)).toEqual({ tokens: 110, cost: undefined })
  expect(maxUsageOf({ maxOutput: 100, prices: { input: 0, output: 0 } }, 10).cost).toBe(0)
})
