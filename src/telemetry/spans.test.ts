import { expect, test } from 'vitest'
import { givenLog, roundEnded, roundStarted } from '../../tests/support/given-log.ts'
import { draftEvent, type EventData, type EventDraft, type StoredEvent } from '../contract/event.ts'
import { NO_USAGE } from '../contract/message.ts'
import { newId } from '../lib/id.ts'
import type { Span } from './make-spans.ts'
import { ATTRIBUTES as A } from './names.ts'
import { spanIdOf, traceIdOf } from './span-ids.ts'
import { createSpans } from './spans.ts'

const describeModel = (key: string) => ({ provider: key.split(':')[0] ?? '', model: key.split(':')[1] ?? '' })

function spansOf(...commits: readonly (readonly StoredEvent[])[]): Span[] {
  const spans: Span[] = []
  const follower = createSpans((span) => spans.push(span), describeModel)
  for (const events of commits) follower.see('s', events)
  return spans
}

const turnStarted = (model = 'openai:gpt-x'): EventDraft =>
  draftEvent('turn.started', { turn: 1, model, last: false, layerHashes: [] })

const turnEnded = (more: Partial<EventData['turn.ended']> = {}): EventDraft =>
  draftEvent('turn.ended', { turn: 1, stopReason: 'end_turn', usage: NO_USAGE, durationMs: 5, ...more })

const toolStarted = (callId: string): EventDraft =>
  draftEvent('tool.started', { callId, idempotencyKey: 'k', effect: 'pure', reserved: 0 })

const toolResult = (callId: string, more: Partial<EventData['tool.result']> = {}): EventDraft =>
  draftEvent('tool.result', {
    callId,
    name: 'mail',
    signature: '',
    outcome: 'ok',
    effect: 'none',
    content: 'text',
    durationMs: 3,
    cost: 0,
    ...more,
  })

test('makes one span for the round and one for each turn and call in it, all in one trace', () => {
  const id = newId()
  const spans = spansOf(
    givenLog(
      roundStarted({ id }),
      turnStarted(),
      turnEnded({ stopReason: 'tool_use' }),
      toolStarted('c'),
      toolResult('c'),
      roundEnded(),
    ),
  )
  expect(spans.map(({ name, kind, startAt, endAt }) => ({ name, kind, startAt, endAt }))).toEqual([
    { name: 'chat gpt-x', kind: 'client', startAt: 20, endAt: 30 },
    { name: 'execute_tool mail', kind: 'internal', startAt: 40, endAt: 50 },
    { name: 'invoke_agent', kind: 'internal', startAt: 10, endAt: 60 },
  ])
  const [turn, tool, round] = spans
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([id.replaceAll('-', '')]))
  expect(round?.parentSpanId).toBeUndefined()
  expect([turn?.parentSpanId, tool?.parentSpanId]).toEqual([round?.spanId, round?.spanId])
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3)
})

test('says what the conventions for generative AI ask for', () => {
  const usage = { input: 10, output: 4, cachedRead: 6, reasoning: 2 }
  const [turn, tool, round] = spansOf(
    givenLog(roundStarted(), turnStarted(), turnEnded({ usage }), toolStarted('c'), toolResult('c'), roundEnded()),
  )
  expect(turn?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-x',
    'gen_ai.conversation.id': 's',
    'gen_ai.response.finish_reasons': ['end_turn'],
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 4,
    'gen_ai.usage.cache_read.input_tokens': 6,
    'gen_ai.usage.reasoning.output_tokens': 2,
  })
  expect(tool?.attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'mail',
    'gen_ai.tool.call.id': 'c',
  })
  expect(round?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'openai',
    'segno.round.finish_reason': 'complete',
  })
})

test('marks what failed with its kind, and nothing else', () => {
  const spans = spansOf(
    givenLog(
      roundStarted(),
      turnStarted(),
      turnEnded({ stopReason: 'timeout' }),
      toolStarted('a'),
      toolResult('a', { outcome: 'error' }),
      toolStarted('b'),
      toolResult('b', { outcome: 'cancelled' }),
      roundEnded('error'),
    ),
  )
  expect(spans.map(({ failed, attributes }) => [failed, attributes[A.errorType]])).toEqual([
    [true, 'timeout'],
    [true, 'error'],
    [false, undefined],
    [true, 'error'],
  ])
})

test('counts calls that never started and does not repeat the names they were given', () => {
  const spans = spansOf(
    givenLog(
      roundStarted(),
      toolResult('a', { name: 'made_up', outcome: 'refused', code: 'UNKNOWN_TOOL' }),
      toolResult('b', { name: 'made_up', outcome: 'denied' }),
      toolResult('c', { name: 'made_up', outcome: 'cancelled' }),
      roundEnded(),
    ),
  )
  expect(JSON.stringify(spans)).not.toContain('made_up')
  expect(spans.map(({ attributes }) => attributes[A.roundIdleCalls])).toEqual([3])
})

test('goes on with the trace of a round that an earlier process began', () => {
  const [started, ...rest] = givenLog(
    roundStarted(),
    draftEvent('round.resumed', { n: 1, turn: 1, reason: 'takeover' }),
    turnEnded({ durationMs: 4 }),
    toolResult('c', { durationMs: 3 }),
    roundEnded(),
  )
  const [turn, tool, round] = spansOf(rest)
  expect([turn?.startAt, turn?.endAt]).toEqual([26, 30])
  expect([tool?.startAt, tool?.endAt]).toEqual([37, 40])
  expect(round).toMatchObject({ startAt: 20, endAt: 50, attributes: { [A.roundTakenOver]: true } })
  expect(round?.spanId).toBe(spansOf([started as StoredEvent], rest).at(-1)?.spanId)
})

test('does not end a span before it starts when the clock was set back', () => {
  const events = givenLog(roundStarted(), roundEnded()).map((event, i) => ({ ...event, at: 100 - i * 50 }))
  expect(spansOf(events)).toMatchObject([{ startAt: 100, endAt: 100 }])
})

test('makes no span of what a fork closes', () => {
  const actor = { id: 'ada', tenant: 'local' }
  const parent = { sessionId: 'p', seq: 3 }
  const forked = draftEvent('session.forked', { actor, workspaceId: 'w', title: '', parent })
  const closing = givenLog(forked, turnEnded(), roundEnded('cancelled'))
  expect(spansOf(closing.map((event) => ({ ...event, requestId: event.seq > 1 ? 'r1' : null })))).toEqual([])
})

test('remembers no round that ended or whose session is gone, and a bounded number of others', () => {
  const follower = createSpans(() => {}, describeModel)
  follower.see('ended', givenLog(roundStarted(), turnStarted(), turnEnded(), roundEnded()))
  follower.see('gone', givenLog(roundStarted(), draftEvent('session.deleted', { by: 'ada' })))
  expect(follower.open()).toBe(0)
  const open = givenLog(roundStarted())
  for (let i = 0; i < 10_100; i++) follower.see(`s${i}`, open)
  expect(follower.open()).toBe(10_000)
})

test('makes ids of the right length whatever the id of the round is', () => {
  for (const requestId of [newId(), 'mine', '', '00000000-0000-0000-0000-000000000000']) {
    expect(traceIdOf(requestId)).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
    expect(spanIdOf(requestId, 'round')).toMatch(/^(?!0{16})[0-9a-f]{16}$/)
  }
})
