import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { PROTOCOLS } from '../../../src/contract/outcome.ts'
import type { Model } from '../../../src/model/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
} as const
const output = { schema }
const ROME = { text: '{"city": "Rome", "people": 2800000}' }
const PROSE = { text: 'Rome has 2.8 million people.' }
const WRONG = { text: '{"city": "Rome", "people": "many"}' }

const held = (model: Model): Model => ({ ...model, structuredOutput: true })
const prompts = ({ requests }: { requests: readonly { prompt: unknown }[] }) =>
  requests.map(({ prompt }) => JSON.stringify(prompt))

describe.each(PROTOCOLS)('%s', (protocol) => {
  verifies(
    'GOV-22',
    'a model that can is held to the schema by its provider, and the answer is an object',
    async () => {
      const u = await segnoUnderTest({ turns: [ROME], entry: held })
      const { requestId, ...done } = await u.ask('Rome?', { protocol, output })
      expect(done).toMatchObject({ finishReason: 'complete', output: { city: 'Rome', people: 2_800_000 } })
      expect(u.requests.map(({ responseFormat }) => responseFormat)).toEqual([{ type: 'json', schema }])
      expect(prompts(u)[0]).not.toContain('JSON schema')
      expect((await ask(u, 'GET', `/api/rounds/${requestId}`)).body).toMatchObject({ output: done.output })
    },
  )

  verifies('GOV-22', 'any other is asked in words, with the message, and may answer in a code block', async () => {
    const u = await segnoUnderTest({ turns: [{ text: `\`\`\`json\n${ROME.text}\n\`\`\`` }] })
    const { output: got } = await u.ask('Rome?', { protocol, output })
    expect(got).toEqual({ city: 'Rome', people: 2_800_000 })
    expect(u.requests[0]?.responseFormat).toBeUndefined()
    const [first = ''] = prompts(u)
    expect(first).toContain('fits this JSON schema')
    await u.ask('And now in prose.', { protocol })
    // What was asked of the first answer stays where it was.
    expect(prompts(u)[1]?.split('fits this JSON schema')).toHaveLength(2)
  })

  verifies('COO-6', 'an answer that does not fit is discarded once, and the model is told', async () => {
    const u = await segnoUnderTest({ turns: [PROSE, ROME], limits: { RETRY_BASE_MS: 1 } })
    const { output: got, events, content, usage } = await u.ask('Rome?', { protocol, output })
    expect([got, content]).toEqual([{ city: 'Rome', people: 2_800_000 }, ROME.text])
    expect(said(events, 'turn.retried')).toMatchObject([
      { shown: true, reason: 'the answer does not fit its schema', added: expect.any(Array) as unknown },
    ])
    expect(prompts(u)[1]).toContain('The first answer to this message was not one JSON object')
    expect(prompts(u)[1]).not.toContain('2.8 million')
    // Both answers were paid for.
    expect(usage.output).toBeGreaterThan(Math.ceil(PROSE.text.length / 4))
  })

  verifies('COO-6', 'the second that does not fit is the answer, and the round ends with what is wrong', async () => {
    const u = await segnoUnderTest({ turns: [PROSE, WRONG, ROME], limits: { RETRY_BASE_MS: 1 } })
    const { events, ...done } = await u.ask('Rome?', { protocol, output })
    expect(done).toMatchObject({ finishReason: 'error', content: WRONG.text })
    expect(done.error).toBe('The answer does not fit output.schema: people: expected number, got "many".')
    expect(done).not.toHaveProperty('output')
    expect(said(events, 'message.assistant').map(({ final }) => final)).toEqual([true])
    expect(await u.ask('Anything?', { protocol })).toMatchObject({ content: PROSE.text, finishReason: 'complete' })
  })

  verifies('COO-6', 'a turn that was reset for another reason has no second one', async () => {
    const cut = { text: 'Ro', fault: { kind: 'cut', afterDeltas: 1 } } as const
    const u = await segnoUnderTest({ turns: [cut, PROSE, ROME], limits: { RETRY_BASE_MS: 1 } })
    const { finishReason, content } = await u.ask('Rome?', { protocol, output })
    expect([finishReason, content]).toEqual(['error', PROSE.text])
  })

  verifies('GOV-22', 'with tools, only the last answer of the round has to fit', async () => {
    const turns = [{ text: 'Let me look.', calls: [{ name: 'look' }] }, ROME]
    for (const entry of [held, undefined]) {
      const u = await segnoUnderTest({ tools: [probe('look')], turns, ...(entry && { entry }) })
      const { output: got, events } = await u.ask('Rome?', { protocol, output })
      expect(got).toEqual({ city: 'Rome', people: 2_800_000 })
      expect(said(events, 'turn.retried')).toEqual([])
    }
  })
})

test('an answer that was too long is not asked for again', async () => {
  const u = await segnoUnderTest({ turns: [{ text: '{"city": "Ro', stopReason: 'max_tokens' }, ROME] })
  const { finishReason, error } = await u.ask('Rome?', { output })
  expect([finishReason, error]).toEqual(['max_tokens', 'The answer is not one JSON object, as output.schema wants it.'])
  expect(u.requests).toHaveLength(1)
})

test('a sender who wants no retries gets none for this either', async () => {
  const u = await segnoUnderTest({ turns: [PROSE, ROME] })
  await u.ask('Rome?', { output, retryOptions: { maxRetries: 0 } })
  expect(u.requests).toHaveLength(1)
})

verifies('REL-4', 'what was asked of an answer survives a restart in its middle', async () => {
  const stall = { text: '{"ci', fault: { kind: 'stall', afterDeltas: 1 } } as const
  const u = await segnoUnderTest({ turns: [stall], limits: { DRAIN_MS: 0 } })
  const { requestId } = await u.send('Rome?', { output, temperature: 0.3 })
  await u.until('turn.started')
  await u.reopen({ turns: [PROSE, ROME], limits: { RETRY_BASE_MS: 1 } })
  const done = await u.segno.completion(u.sessionId, requestId)
  expect(done).toMatchObject({ finishReason: 'complete', output: { city: 'Rome' } })
  expect(u.requests.map(({ temperature }) => temperature)).toEqual([0.3, 0.3])
  expect(await u.segno.rounds.get(LOCAL_OWNER, requestId)).toMatchObject({ state: 'ended' })
})

test('what is wrong with an answer is told shortly, however much that is', async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field${n}`, n]))
  const u = await segnoUnderTest({ turns: [{ text: JSON.stringify(many) }], limits: { RETRIES: 0 } })
  const { events } = await u.ask('Rome?', { output })
  const [answer] = said(events, 'message.assistant')
  expect(answer?.misfit).toMatch(/^The answer does not fit output.schema: /)
  expect(answer?.misfit?.length).toBeLessThan(1100)
})
