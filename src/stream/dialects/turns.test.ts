import { expect, test } from 'vitest'
import type { AssistantPart } from '../../contract/message.ts'
import { DIALECTS } from '../dialects.ts'
import { encode } from '../wire.ts'
import { brief, parsed, Story } from './telling.suite.ts'

const use: AssistantPart = { type: 'tool_use', id: 'c', name: 'look', input: { at: 'it' } }

test('a round is initialized, shows each turn as it grows, and completes', () => {
  const story = new Story().begin().turn(1).delta('So ', 0).delta('far.', 3).message(1, 'So far.').turnEnded(1).ended()
  const turn = { turnId: 'r:1', index: 1, toolCalls: [] }
  expect(story.told('turns')).toEqual([
    { id: '1', event: 'initialized', data: { sessionId: 's', responseId: 'r' } },
    { id: '3.0', event: 'turn', data: { ...turn, content: '', status: 'streaming' } },
    { id: '3.3', event: 'turn', data: { ...turn, content: 'So ', status: 'streaming' } },
    { id: '3.7', event: 'turn', data: { ...turn, content: 'So far.', status: 'streaming' } },
    { id: '4.7', event: 'turn', data: { ...turn, content: 'So far.', status: 'streaming' } },
    {
      id: '5',
      event: 'turn-completed',
      data: { ...turn, content: 'So far.', status: 'completed', usage: { input: 1, output: 2 } },
    },
    {
      id: '6',
      event: 'completed',
      data: {
        responseId: 'r',
        content: 'So far.',
        finishReason: 'complete',
        usage: { input: 10, output: 20 },
        cost: 3,
      },
    },
  ])
})

test('a turn has its calls, while their arguments come and with how they came out', () => {
  const call = { kind: 'args', callId: 'c', name: 'look' } as const
  const story = new Story().begin().turn(1).delta('{"at"', 0, call)
  story
    .message(1, '', { content: [use], final: false })
    .turnEnded(1)
    .call('c', 'look')
    .result('c', 'look')
  const calls = story.told('turns').map(({ data }) => data['toolCalls'])
  expect(calls.slice(2)).toEqual([
    [{ callId: 'c', name: 'look', args: '{"at"' }],
    [{ callId: 'c', name: 'look', args: '{"at":"it"}' }],
    [{ callId: 'c', name: 'look', args: '{"at":"it"}' }],
    [{ callId: 'c', name: 'look', args: '{"at":"it"}', outcome: 'ok' }],
  ])
})

test('a round that failed ends with its error', () => {
  const told = new Story().begin().ended('error', 'the key was refused').told('turns')
  expect(told.at(-1)).toEqual({
    id: '3',
    event: 'error',
    data: { code: 'MODEL_ERROR', message: 'the key was refused' },
  })
})

test('a turn that is tried again begins empty', () => {
  const story = new Story().begin().turn(1).delta('old', 0).retried(true).delta('new', 0)
  expect(story.told('turns').map(({ data }) => data['content'])).toEqual([undefined, '', 'old', '', 'new'])
})

test('of what is sent together only the newest of each turn is left', () => {
  const story = new Story().begin().turn(1).delta('a', 0).delta('b', 1).message(1, 'ab').turnEnded(1).turn(2)
  const encoder = DIALECTS.turns.encoder({ sessionId: 's', workspaceId: 'p', outputs: false })
  const wires = story.frames.flatMap((frame) => encode(encoder, frame))
  expect(brief((encoder.newest?.(wires) ?? []).map(parsed))).toEqual([
    '1 initialized',
    '4.2 turn',
    '5 turn-completed',
    '6.0 turn',
  ])
})

test('who comes back and has all of the text is not shown the turn again; who has less is', () => {
  const running = new Story().begin().turn(1)
  const live = new Story().delta('So far.', 0).frames
  expect(running.toldAfter('turns', '3.7', live)).toEqual([])
  expect(running.toldAfter('turns', '3.6', live)).toMatchObject([{ id: '3.7', data: { content: 'So far.' } }])
})

test('what Segno says when a round stops before its first turn is in the completion only', () => {
  const told = new Story().begin().message(0, '(Stopped.)', { own: true }).ended('cancelled').told('turns')
  expect(told.map(({ event }) => event)).toEqual(['initialized', 'completed'])
  expect(told.at(-1)?.data).toMatchObject({ content: '(Stopped.)', finishReason: 'cancelled' })
})

test('a message that was cancelled behind a round has its own end and changes nothing of the round', () => {
  const story = new Story().begin().turn(1).cancelledBehind().message(1, 'All of it.').turnEnded(1).ended()
  const ends = story.told('turns').filter(({ event }) => event === 'completed')
  expect(ends.map(({ data }) => [data['responseId'], data['content'], data['finishReason']])).toEqual([
    ['behind', '', 'cancelled'],
    ['r', 'All of it.', 'complete'],
  ])
})
