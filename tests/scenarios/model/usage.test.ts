import type { LanguageModelV4 } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'

const prices = { input: 3_000_000, output: 15_000_000, cachedRead: 300_000 }
const priced: Opening = { entry: (model) => ({ ...model, prices }) }

const usage = { input: 1000, output: 100, cachedRead: 400 }
/** 600 fresh, 400 from the cache, 100 out */
const COST = 600 * 3 + 400 * 0.3 + 100 * 15

verifies(['GOV-6', 'COO-2'], 'tokens are priced by turn, and summed by round, session and user', async () => {
  const it = await segnoUnderTest({
    tools: [probe('look')],
    turns: [
      { calls: [{ name: 'look' }], usage },
      { text: 'Seen.', usage },
    ],
    ...priced,
  })
  const { events, cost, usage: whole, requestId } = await it.ask()
  expect(said(events, 'turn.ended').map((turn) => [turn.usage, turn.cost])).toEqual([
    [usage, COST],
    [usage, COST],
  ])
  const { turns } = (await ask(it, 'GET', `/api/rounds/${requestId}`)).body
  expect(turns).toMatchObject([
    { status: 'completed', usage, cost: COST },
    { status: 'completed', usage, cost: COST },
  ])
  expect(cost).toBe(2 * COST)
  expect(whole).toEqual({ input: 2000, output: 200, cachedRead: 800 })
  await it.ask()
  const { body } = await ask(it, 'GET', `/api/usage?session=${it.sessionId}`)
  expect(body['items']).toEqual([
    {
      userId: LOCAL_OWNER.id,
      model: 'scripted',
      rounds: 2,
      usage: { input: 4000, output: 400, cachedRead: 1600 },
      cost: 4 * COST,
    },
  ])
})

verifies('GOV-6', 'tokens nobody knows the price of are marked, and so is what contains them', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Hello.', usage }], entry: ({ prices: _, ...model }) => model })
  const { events, cost } = await it.ask()
  expect(cost).toBe(0)
  expect(said(events, 'turn.ended')[0]?.usage).toEqual({ ...usage, unpriced: true })
  expect(said(events, 'round.ended')[0]?.usage).toEqual({ ...usage, unpriced: true })
})

/** A provider that never tells what was used. */
const silent = (model: LanguageModelV4): LanguageModelV4 => ({
  ...model,
  async doStream(options) {
    const { stream } = await model.doStream(options)
    const none = { inputTokens: {}, outputTokens: {} } as never
    return {
      stream: stream.pipeThrough(
        new TransformStream({
          transform: (part, controller) => controller.enqueue(part.type === 'finish' ? { ...part, usage: none } : part),
        }),
      ),
    }
  },
})

verifies(['GOV-6', 'PHA-3'], 'tokens a provider does not tell are counted, priced and marked, not zero', async () => {
  const words = 'The quick brown fox jumps over the lazy dog. '.repeat(20)
  const it = await segnoUnderTest({ turns: [{ text: words }], model: silent, ...priced })
  const { usage: counted, cost } = await it.ask()
  expect(counted.estimated).toBe(true)
  expect(counted.output).toBeGreaterThan(200)
  expect(counted.output).toBeLessThan(300)
  expect(counted.input).toBeGreaterThan(200)
  expect(cost).toBe(counted.input * 3 + counted.output * 15)
})

verifies('GOV-6', 'what was used by an attempt that broke off is counted too', async () => {
  const broken = { text: 'one two three four five', fault: { kind: 'cut', afterDeltas: 2 } } as const
  const it = await segnoUnderTest({ turns: [broken, { text: 'Whole.', usage }], ...priced })
  const { usage: whole, cost } = await it.ask()
  expect(whole.estimated).toBe(true)
  expect(whole.output).toBeGreaterThan(usage.output)
  expect(whole.input).toBeGreaterThan(usage.input)
  expect(cost).toBeGreaterThan(COST)
})

test('usage is one’s own, unless one may see that of others', async () => {
  const ada: Actor = { id: 'ada', kind: 'user', tenant: 'local', permissions: ['chat:*'] }
  const it = await segnoUnderTest({ turns: [{ text: 'Hello.', usage }] })
  const { id } = await it.segno.createSession({}, { actor: ada })
  await it.ask('Hi.', { actor: ada, sessionId: id })
  await it.ask('Hi.')
  const readings = it.segno.readings
  expect((await readings.usage(ada, {})).map(({ userId, rounds }) => [userId, rounds])).toEqual([['ada', 1]])
  await expect(readings.usage(ada, { all: true })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  await expect(readings.usage(ada, { sessionId: it.sessionId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await readings.usage(LOCAL_OWNER, { all: true })).map(({ userId }) => userId)).toEqual(['ada', 'owner'])
})
