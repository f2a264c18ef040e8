import { afterAll, beforeAll, describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Play } from '../../support/faulty-provider/exchange.ts'
import { answers } from '../../support/faulty-provider/plays.ts'
import { WIRES } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './support/fault.ts'
import { openStage, type Stage } from './support/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ TOTAL_MS: 60_000, CONNECT_MS: 20_000, CONTENT_GAP_MS: 30_000, MODEL_CALL_MS: 60_000 })
})
afterAll(() => stage.close())

const SENTENCE = 'All work and no play makes Jack a dull boy. '
const WINDOW = 8192
/** No tokenizer makes more of such sentences. */
const MOST_BYTES = WINDOW * 4

describe.for([
  { model: 'openai-compatible:with-number', message: `This model's maximum context length is ${WINDOW} tokens.` },
  { model: 'openai-compatible:without-number', message: 'the request exceeds the available context size' },
])('a window that turns out to be smaller, told as "$message"', ({ model, message }) => {
  verifies('GOV-6', 'costs one attempt, and later messages fit at once', async () => {
    const refused: number[] = []
    let rounds = 0
    const inWindow: Play = (exchange) => {
      const bytes = Number(exchange.response.req.headers['content-length'])
      if (bytes <= MOST_BYTES) return answers(exchange)
      refused.push(rounds)
      exchange.open({ 'content-type': 'application/json' }, 400)
      exchange.response.end(JSON.stringify(WIRES['openai-compatible'].error(400, message)))
    }
    const { segno } = stage
    const { mark } = stage.plan(() => inWindow)
    const { id } = await segno.createSession({ model })
    for (rounds = 1; rounds <= 12; rounds++) {
      const content = `${mark} ${rounds} ${SENTENCE.repeat(150)}`
      const { finishReason } = await (await segno.streamRequest(id, content)).completion
      expect([rounds, finishReason]).toEqual([rounds, 'complete'])
    }
    expect(refused).toHaveLength(1)
    const retried = said(await segno.sessions.events(LOCAL_OWNER, id), 'turn.retried')
    expect(retried.map(({ reason }) => reason)).toEqual([
      'the conversation is longer than the model can see, so it is made shorter',
    ])
  })
})

verifies(
  'GOV-6',
  'a message that does not fit into it ends its round with the cause, and a shorter one is answered',
  async () => {
    const { segno } = stage
    const { mark } = stage.plan((attempt) => (exchange) => {
      if (attempt > 1) return answers(exchange)
      const { open, wire, response } = exchange
      open({ 'content-type': 'application/json' }, 400)
      response.end(JSON.stringify(wire.error(400, `This model's maximum context length is ${WINDOW} tokens.`)))
    })
    const { id } = await segno.createSession({ model: 'openai-chat:smaller' })
    const long = await (await segno.streamRequest(id, `${mark} ${SENTENCE.repeat(2000)}`)).completion
    expect(long).toMatchObject({
      finishReason: 'error',
      error: expect.stringContaining('the conversation is longer than the model can see. Send less') as string,
    })
    const short = await (await segno.streamRequest(id, `And now, ${mark}?`)).completion
    expect(short.finishReason).toBe('complete')
  },
)

verifies('GOV-6', 'a learned window is shown with its model', async () => {
  const { segno } = stage
  const { mark } = stage.plan((attempt) => ({ open, wire, response, ...rest }) => {
    if (attempt > 1) return answers({ open, wire, response, ...rest })
    open({ 'content-type': 'application/json' }, 400)
    response.end(JSON.stringify(wire.error(400, 'prompt is too long: 213462 tokens > 100000 maximum')))
  })
  const { id } = await segno.createSession({ model: 'claude-haiku-4.5' })
  const { finishReason } = await (await segno.streamRequest(id, `Hello ${mark}`)).completion
  // There was nothing to leave out.
  expect(finishReason).toBe('error')
  const response = await segno.fetch(new Request('http://localhost/api/models'))
  const { items } = (await response.json()) as { items: { key: string; window: number; learnedWindow?: number }[] }
  expect(items.find(({ key }) => key === 'claude-haiku-4.5')).toMatchObject({ learnedWindow: 100_000 })
  expect(items.find(({ key }) => key === 'gpt-4.1')).not.toHaveProperty('learnedWindow')
})

verifies(
  'GOV-6',
  'nobody makes a window smaller for others with words in a schema that the provider quotes',
  async () => {
    const { segno } = stage
    const { mark } = stage.plan(() => ({ open, wire, response }) => {
      open({ 'content-type': 'application/json' }, 400)
      response.end(JSON.stringify(wire.error(400, "Invalid schema: 'context size 4000' is not allowed")))
    })
    const { id } = await segno.createSession({ model: 'gpt-4.1' })
    const schema = { type: 'object', properties: { 'context size 4000': { type: 'string' } } } as const
    await (
      await segno.streamRequest(id, `Hello ${mark}`, { output: { schema } })
    ).completion
    const response = await segno.fetch(new Request('http://localhost/api/models'))
    const { items } = (await response.json()) as { items: { key: string; learnedWindow?: number }[] }
    expect(items.find(({ key }) => key === 'gpt-4.1')).not.toHaveProperty('learnedWindow')
  },
)
