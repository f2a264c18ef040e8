import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../contract/event.ts'
import type { Message } from '../contract/message.ts'
import { anthropicFault } from '../../tests/support/acceptors/anthropic.ts'
import { openAiFault } from '../../tests/support/acceptors/openai.ts'
import { toAnthropic } from '../../tests/support/acceptors/to-anthropic.ts'
import { toOpenAi } from '../../tests/support/acceptors/to-openai.ts'
import { roundStarted } from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { toMessages } from './to-messages.ts'
import { createImport } from './import-log.ts'
import { fold } from './session-state.ts'

type Line = Record<string, unknown>

const line = (type: string, payload: Line = {}, more: Line = {}): Line => ({ type, payload, ...more })
const user = (content: unknown, more?: Line): Line => line('message.user', { content }, more)
const assistant = (...content: Line[]): Line => line('message.assistant', { content, model: 'old-model' })
const text = (words: string): Line => ({ type: 'text', text: words })
const use = (id: string, name = 'look'): Line => ({ type: 'tool_use', id, name, input: { id } })
const call = (toolCallId: string, name = 'look'): Line =>
  line('tool.call', { toolCallId, name, arguments: { toolCallId } })
const result = (toolCallId: string, content = `seen ${toolCallId}`): Line =>
  line('tool.result', { toolCallId, content })

function imported(...lines: (Line | string)[]): NewEvent[] {
  let id = 0
  const started = roundStarted()
  if (started.type !== 'round.started') throw new Error('not a start')
  const importing = createImport({
    round: started.data,
    now: 10_000,
    mostEvents: 5000,
    newId: () => `n${++id}`,
    signature: (name, args) => `${name} ${JSON.stringify(args)}`,
  })
  for (const [at, one] of lines.entries()) importing.line(typeof one === 'string' ? one : JSON.stringify(one), at + 1)
  return importing.end()
}

const types = (events: readonly NewEvent[]): string[] =>
  events.map(({ type }) => type).filter((type) => !/^(?:round|turn)\./.test(type) && type !== 'tool.started')

/** The conversation as a model is given it next; both providers must take it. */
function rebuilt(events: readonly NewEvent[]): string[] {
  const stored = events.map((event, at) => ({ ...event, sessionId: 's', seq: at + 2 }))
  const state = fold(stored)
  expect(state.round).toBeNull()
  const messages = toMessages(state.history)
  const next: Message = { role: 'user', content: [{ type: 'text', text: 'next' }], eventIds: [] }
  const last = messages.at(-1)
  const list =
    last?.role === 'user'
      ? [...messages.slice(0, -1), { ...last, content: [...last.content, ...next.content] }]
      : [...messages, next]
  expect(anthropicFault(toAnthropic(list))).toBeUndefined()
  expect(openAiFault(toOpenAi(list))).toBeUndefined()
  return messages.map(({ role, content }) => {
    const parts = content.map((part) => {
      if (part.type === 'tool_use') return `use ${JSON.stringify(Object.values(part.input)[0])}`
      if (part.type === 'tool_result') return part.content
      return part.type === 'file' ? 'file' : part.text
    })
    return `${role === 'user' ? 'U' : 'A'} ${parts.join(' | ')}`
  })
}

describe('a log from elsewhere', () => {
  verifies('LIN-5', 'in the older order, results first, becomes message, call, result', () => {
    const events = imported(user('hi'), call('a'), result('a'), assistant(text('let me look'), use('a'), text('done')))
    expect(types(events)).toEqual([
      'message.user',
      'message.assistant',
      'tool.call',
      'tool.result',
      'message.assistant',
    ])
    expect(rebuilt(events)).toEqual(['U hi', 'A let me look | use "a"', 'U seen a', 'A done'])
  })

  test('in the newer order stays as it is, several calls under one message', () => {
    const lines = [
      user('hi'),
      assistant(text('so'), use('a'), use('b')),
      call('a'),
      result('a'),
      call('b'),
      result('b'),
    ]
    const events = imported(...lines, line('stream.turn_end'), assistant(text('done')))
    expect(types(events)).toEqual([
      'message.user',
      'message.assistant',
      'tool.call',
      'tool.result',
      'tool.call',
      'tool.result',
      'message.assistant',
    ])
    expect(rebuilt(events)).toEqual(['U hi', 'A so | use "a" | use "b"', 'U seen a | seen b', 'A done'])
  })

  test('is written in rounds that have ended, each with an answer or none', () => {
    const events = imported(user('one'), assistant(text('1')), user('two'))
    const ends = events.flatMap((event) => (event.type === 'round.ended' ? [event.data.finishReason] : []))
    expect(ends).toEqual(['complete', 'cancelled'])
    expect(new Set(events.map(({ requestId }) => requestId)).size).toBe(2)
    const started = events.find((event) => event.type === 'turn.started')
    expect(started?.type === 'turn.started' && started.data.model).toBe('old-model')
  })

  test('that broke off has a result for every call: unknown where it began, cancelled where it did not', () => {
    const events = imported(user('hi'), assistant(use('a'), use('b')), call('a'))
    const results = events.flatMap(({ type, data }) => (type === 'tool.result' ? [[data.outcome, data.effect]] : []))
    expect(results).toEqual([
      ['unknown', 'unknown'],
      ['cancelled', 'none'],
    ])
    expect(rebuilt(events)).toHaveLength(3)
  })

  test('that broke off before its message was written gets one for the calls it has', () => {
    expect(rebuilt(imported(user('hi'), call('a'), result('a')))).toEqual(['U hi', 'A use "a"', 'U seen a'])
  })

  test('keeps what was deleted deleted, what was cleared cleared, and a summary in the place of what it sums up', () => {
    const gone = imported(
      user('one', { id: 'x' }),
      assistant(text('1')),
      line('message.deleted', { targetEventId: 'x' }),
    )
    expect(rebuilt(gone).join()).not.toContain('one')
    expect(rebuilt(imported(user('one'), line('context.cleared'), user('two')))).toEqual(['U two'])
    const summed = imported(
      user('one'),
      assistant(text('1')),
      line('compact.summary', { summary: 'short' }),
      user('two'),
    )
    expect(rebuilt(summed)).toEqual(['U Summary of the conversation so far:\nshort | two'])
  })

  test('has its own times, never going back and never later than now', () => {
    const at = (timestamp: unknown) => user('x', { timestamp })
    const times = imported(at('1970-01-01T00:00:05Z'), at(3000), at(99_000)).flatMap((event) =>
      event.type === 'message.user' ? [event.at] : [],
    )
    expect(times).toEqual([5000, 5000, 10_000])
    expect(imported(user('x'))[0]?.at).toBe(10_000)
  })

  test('has new ids: those of its calls are not taken over', () => {
    expect(JSON.stringify(imported(user('hi'), assistant(use('theirs', 'x'))).map(({ id }) => id))).not.toContain(
      'theirs',
    )
  })
})

describe('what is wrong is named with its line and its field', () => {
  test.each<[string, (Line | string)[], string]>([
    ['no JSON', [user('hi'), '{'], 'Line 2: it is not a JSON object'],
    ['a list', ['[]'], 'Line 1: it is not a JSON object'],
    ['too deep', [`{"type":${'['.repeat(300)}`], 'Line 1: it is nested too deeply'],
    ['too long', [`"${'x'.repeat(1_000_001)}"`], 'Line 1: it has more than 1000000 characters'],
    ['an unknown type', [line('message.sent')], 'Line 1: type must be message.user'],
    ['no payload', [{ type: 'message.user', payload: 7 }], 'Line 1: payload must be an object'],
    ['no content', [user('')], 'Line 1: payload.content is empty'],
    ['odd content', [user(7)], 'Line 1: payload.content must be text or a list of blocks'],
    ['an odd block', [user([{ type: 'video' }])], 'Line 1: payload.content[0].type must be text'],
    ['an odd text', [user([{ type: 'text', text: 7 }])], 'Line 1: payload.content[0].text must be text'],
    ['no id of a use', [user('x'), assistant({ type: 'tool_use' })], 'Line 2: payload.content[0].id must be text'],
    ['an id twice', [user('x'), assistant(use('a'), use('a'))], 'Line 2: payload.content[1].id is there twice'],
    ['no name of a call', [user('x'), line('tool.call', { toolCallId: 'a' })], 'Line 2: payload.name must be text'],
    [
      'odd arguments',
      [line('tool.call', { toolCallId: 'a', name: 'x', arguments: [] })],
      'payload.arguments must be an object',
    ],
    ['a result of nothing', [user('x'), result('a')], 'Line 2: payload.toolCallId names no call before it'],
    [
      'a second result',
      [user('x'), assistant(use('a')), result('a'), result('a')],
      'Line 4: payload.toolCallId names a call that has',
    ],
    [
      'a second early result',
      [user('x'), call('a'), result('a'), result('a')],
      'Line 4: payload.toolCallId names a call that has',
    ],
    ['an odd time', [user('x', { timestamp: 'soon' })], 'Line 1: timestamp must be a date'],
    ['an odd id', [user('x', { id: 7 })], 'Line 1: id must be text'],
    [
      'a branch',
      [user('x', { id: 'a' }), user('y', { id: 'b', parentId: 'z' })],
      'Line 2: parentId is not the event before it',
    ],
    [
      'a deletion of nothing',
      [line('message.deleted', { targetEventId: 'q' })],
      'Line 1: payload.targetEventId names no message',
    ],
    [
      'endless blocks',
      [assistant(...Array.from({ length: 1001 }, (_, n) => use(`u${n}`)))],
      'Line 1: payload.content has more than 1000 blocks',
    ],
    [
      'endless calls without a message',
      Array.from({ length: 1001 }, (_, n) => call(`c${n}`)),
      'Line 1001: payload.toolCallId is one of more than 1000 calls before their message',
    ],
    [
      'more events than may be',
      [user('x', { id: 'a' }), ...Array.from({ length: 5000 }, () => line('message.deleted', { targetEventId: 'a' }))],
      'log has more than 5000 events (limit IMPORT_EVENTS)',
    ],
    ['no summary', [line('compact.summary')], 'Line 1: payload.summary must be text'],
  ])('%s', (_, lines, words) => {
    expect(() => imported(...lines)).toThrow(words)
  })
})

test('whatever order the lines have, what is taken can be gone on with', () => {
  const some = fc.constantFrom('a', 'b', 'c')
  const anyLine = fc.oneof(
    some.map((words) => user(words)),
    fc.uniqueArray(some, { maxLength: 3 }).map((ids) => assistant(text('so'), ...ids.map((id) => use(id)))),
    some.map((id) => assistant(use(id), text('then'))),
    some.map((id) => call(id)),
    some.map((id) => result(id)),
    fc.constantFrom(line('stream.turn_end'), line('context.cleared'), line('compact.summary', { summary: 's' })),
  )
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 12 }), (lines) => {
      let events: NewEvent[]
      try {
        events = imported(...lines)
      } catch (error) {
        expect((error as Error).message).toMatch(/^Line \d+: /)
        return
      }
      rebuilt(events)
      const uses = events.flatMap((event) =>
        event.type === 'message.assistant' ? event.data.content.filter((part) => part.type === 'tool_use') : [],
      )
      const results = events.filter((event) => event.type === 'tool.result')
      expect(results.map(({ data }) => data.callId).sort()).toEqual(uses.map(({ id }) => id).sort())
    }),
    { numRuns: 500 },
  )
})
