import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { anthropicFault } from '../../support/acceptors/anthropic.ts'
import { toAnthropic } from '../../support/acceptors/to-anthropic.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { problemOf } from '../library/support/problem-of.ts'

/** The older order: a call and its result stand before the message that asked for them. */
const OLD = [
  { id: '1', type: 'message.user', timestamp: '2026-01-05T10:00:00Z', payload: { content: 'Pay Ann.' } },
  { id: '2', type: 'tool.call', payload: { toolCallId: 't1', name: 'pay', arguments: { to: 'ann' } } },
  { id: '3', type: 'tool.result', payload: { toolCallId: 't1', content: 'paid' } },
  {
    id: '4',
    type: 'message.assistant',
    payload: {
      content: [
        { type: 'text', text: 'Paying.' },
        { type: 'tool_use', id: 't1', name: 'pay', input: { to: 'ann' } },
        { type: 'text', text: 'Ann has it.' },
      ],
      model: 'their-model',
      tokenUsage: { inputTokens: 5000, outputTokens: 100 },
    },
  },
  { id: '5', type: 'stream.turn_end', payload: {} },
]
const lines = (events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join('\n')

async function opened(more: Parameters<typeof segnoUnderTest>[0] = {}) {
  const pay = probe('pay', { effect: 'unsafe' })
  const it = await segnoUnderTest({ tools: [pay], turns: [{ text: 'Go on.' }], ...more })
  return { it, pay, segno: it.segno }
}

const conversation = async ({ segno }: SegnoUnderTest, id: string) =>
  (await segno.sessions.messages(LOCAL_OWNER, id)).map(
    ({ role, content }) => `${role}: ${content.map(({ type }) => type).join()}`,
  )

verifies('LIN-5', 'a log in the older order is taken over and gone on with, and nothing of it runs', async () => {
  const { it, pay, segno } = await opened()
  const { id, title } = await segno.sessions.import(LOCAL_OWNER, lines(OLD))
  expect(title).toBe('Imported conversation')
  const then = ['user: text', 'assistant: text,tool_use', 'user: tool_result', 'assistant: text']
  expect(await conversation(it, id)).toEqual(then)
  expect(await it.ask('And now?', { sessionId: id })).toMatchObject({ content: 'Go on.', finishReason: 'complete' })
  expect(await conversation(it, id)).toEqual([...then, 'user: text', 'assistant: text'])
  const messages = await segno.sessions.messages(LOCAL_OWNER, id)
  expect(anthropicFault(toAnthropic(messages.slice(0, -1)))).toBeUndefined()
  expect(JSON.stringify(it.requests[0]?.prompt)).toContain('Ann has it.')
  expect(pay.runs).toEqual([])
})

verifies('LIN-6', 'it can be forked from any of its events, and is all there after a restart', async () => {
  const { it, segno } = await opened()
  const { id, seq } = await segno.sessions.import(LOCAL_OWNER, lines(OLD))
  for (let at = 2; at <= seq; at++) {
    const fork = await segno.sessions.fork(LOCAL_OWNER, id, at)
    expect(await it.ask('Go on.', { sessionId: fork.id })).toMatchObject({ finishReason: 'complete' })
  }
  await it.reopen()
  expect((await it.segno.sessions.get(LOCAL_OWNER, id)).seq).toBe(seq)
  expect((await it.segno.check()).findings).toEqual([])
})

test('a call that never came to an end is in doubt: a person can settle it, and until then is asked', async () => {
  const { it, segno } = await opened({
    turns: [{ calls: [{ name: 'pay', args: { to: 'ann' } }] }, { text: 'Done.' }],
  })
  const { id } = await segno.sessions.import(LOCAL_OWNER, lines(OLD.slice(0, 2)))
  const [call] = await segno.rounds.unknownCalls(LOCAL_OWNER)
  expect(call).toMatchObject({ sessionId: id, tool: 'pay', effect: 'unknown' })
  const { events } = await it.ask('Again.', { sessionId: id, attended: false })
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'denied' }])
  await segno.rounds.reconcile(LOCAL_OWNER, call?.callId ?? '', true)
  expect(await segno.rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
})

verifies(
  'GOV-1',
  'its words are from outside: what sends something out is asked about from the first round on',
  async () => {
    const send = probe('send', { effect: 'keyed', reach: ['outward'] })
    const it = await segnoUnderTest({ tools: [send], turns: [{ calls: [{ name: 'send' }] }, { text: 'Done.' }] })
    const only = [
      OLD[0],
      { type: 'context.cleared', payload: {} },
      { type: 'message.user', payload: { content: 'Send it.' } },
    ]
    const { id } = await it.segno.sessions.import(LOCAL_OWNER, lines(only as object[]))
    const first = await it.ask('Go.', { sessionId: id, attended: false })
    expect(said(first.events, 'tool.result')).toMatchObject([{ outcome: 'denied' }])
    // A person who clears the context has it gone.
    await it.segno.sessions.clear(LOCAL_OWNER, id)
    const second = await it.ask('Go.', { sessionId: id, attended: false })
    expect(said(second.events, 'tool.result')).toMatchObject([{ outcome: 'ok' }])
  },
)

verifies('GOV-10', 'what it cost elsewhere is not counted here', async () => {
  const { segno } = await opened()
  await segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 10, dailyCost: 10, dailyToolCost: 10 })
  const before = segno.getMetrics().totalRequestsProcessed
  await segno.sessions.import(LOCAL_OWNER, lines(OLD))
  expect((await segno.budgets.get(LOCAL_OWNER)).left).toEqual({ tokens: 10, tools: 10, cost: 10 })
  expect(segno.getMetrics().totalRequestsProcessed).toBe(before)
})

describe('all or nothing', () => {
  test('one bad line, and there is no session', async () => {
    const { segno } = await opened()
    const all = async () => (await segno.sessions.list(LOCAL_OWNER)).items.length
    const before = await all()
    const bad = [...OLD, { type: 'tool.result', payload: { toolCallId: 'nobody', content: '' } }]
    const problem = await problemOf(segno.sessions.import(LOCAL_OWNER, lines(bad)))
    expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field: 'line 6: payload.toolCallId' })
    for (const log of ['', '\n\n', 7 as never, ' '.repeat(4_000_001)])
      expect(await problemOf(segno.sessions.import(LOCAL_OWNER, log))).toMatchObject({ field: 'log' })
    expect(await problemOf(segno.sessions.import(LOCAL_OWNER, lines(OLD), { model: 'none such' }))).toBeDefined()
    expect(await all()).toBe(before)
  })

  verifies('REL-1', 'the same key makes one session, however often it is sent', async () => {
    const { it } = await opened()
    const send = (log: string) => ask(it, 'POST', '/api/import', { log, title: 'Before' }, { 'idempotency-key': 'k' })
    const [first, again] = [await send(lines(OLD)), await send(lines(OLD))]
    expect([first.status, first.body.title, again.body.id]).toEqual([201, 'Before', first.body.id])
    expect(await send(lines(OLD.slice(0, 1)))).toMatchObject({ status: 422 })
    expect(await ask(it, 'POST', '/api/import', { log: '{' })).toMatchObject({
      status: 400,
      body: { detail: 'Line 1: it is not a JSON object.' },
    })
  })
})

test('thousands of lines are taken, and shown a page at a time', async () => {
  const { segno } = await opened()
  const many = Array.from({ length: 2500 }, (_, n) => [
    { type: 'message.user', payload: { content: `question ${n}` } },
    { type: 'message.assistant', payload: { content: `answer ${n}` } },
  ]).flat()
  const { id, seq } = await segno.sessions.import(LOCAL_OWNER, lines(many))
  expect(seq).toBe(1 + 2500 * 6)
  const page = await segno.eventPage(LOCAL_OWNER, { sessionId: id, after: seq - 10, limit: 100, outputs: false })
  expect([page.items.length, page.next]).toEqual([10, null])
})
