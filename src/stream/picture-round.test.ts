import { describe, expect, test } from 'vitest'
import type { EventData, EventType, StoredEvent } from '../contract/event.ts'
import type { AssistantPart } from '../contract/message.ts'
import type { Delta, Pulse } from '../contract/pulse.ts'
import { pictureRound } from './picture-round.ts'

const usage = { input: 1, output: 2 }

function draw() {
  const picture = pictureRound('s', 'r')
  let seq = 0
  return {
    picture,
    event<T extends EventType>(type: T, data: EventData[T]): number | undefined {
      seq += 1
      const event = { id: `e${seq}`, sessionId: 's', seq, type, v: 1, at: seq * 10, requestId: 'r', data }
      return picture.see({ kind: 'event', event: event as unknown as StoredEvent })
    },
    delta(text: string, offset: number, more: Partial<Delta> = {}): number | undefined {
      const pulse: Pulse = {
        type: 'delta',
        sessionId: 's',
        requestId: 'r',
        turn: 1,
        kind: 'text',
        offset,
        text,
        ...more,
      }
      return picture.see({ kind: 'pulse', pulse })
    },
    reset: (turn = 1) =>
      picture.see({ kind: 'pulse', pulse: { type: 'reset', sessionId: 's', requestId: 'r', turn, reason: 'cut' } }),
  }
}

const startTurn = (turn: number): EventData['turn.started'] => ({ turn, model: 'm', last: false, layerHashes: [] })
const message = (content: AssistantPart[], more: Partial<EventData['message.assistant']> = {}) => ({
  turn: 1,
  content,
  stopReason: 'end_turn' as const,
  usage,
  final: true,
  ...more,
})
const text = (words: string): AssistantPart => ({ type: 'text', text: words })
const endTurn = (turn: number, stopReason: EventData['turn.ended']['stopReason'] = 'end_turn') => ({
  turn,
  stopReason,
  usage,
  durationMs: 5,
})

describe('a turn', () => {
  test('begins empty and streaming', () => {
    const { picture, event } = draw()
    expect(event('turn.started', startTurn(1))).toBe(1)
    expect(picture.turn(1)).toEqual({
      turnId: 'r:1',
      requestId: 'r',
      index: 1,
      status: 'streaming',
      content: '',
      reasoning: '',
      toolCalls: [],
      startedAt: 10,
    })
  })

  test('grows by its deltas, and a delta it has already changes nothing', () => {
    const { picture, event, delta } = draw()
    event('turn.started', startTurn(1))
    delta('so ', 0)
    delta('far', 3)
    delta('so far', 0)
    delta('hm', 0, { kind: 'reasoning' })
    delta('{"a"', 0, { kind: 'args', callId: 'c', name: 'look' })
    delta(':1}', 4, { kind: 'args', callId: 'c', name: 'look' })
    expect(picture.turn(1)).toMatchObject({
      content: 'so far',
      reasoning: 'hm',
      toolCalls: [{ callId: 'c', name: 'look', args: '{"a":1}' }],
    })
  })

  test('forgets its text at a reset, and when the round is taken over', () => {
    const { picture, event, delta, reset } = draw()
    event('turn.started', startTurn(1))
    delta('old', 0)
    expect(reset()).toBe(1)
    expect(picture.turn(1)?.content).toBe('')
    delta('old', 0)
    event('round.resumed', { n: 1, turn: 1, reason: 'takeover' })
    expect(picture.turn(1)?.content).toBe('')
  })

  test('is what its message says, whatever the deltas were', () => {
    const { picture, event, delta } = draw()
    event('turn.started', startTurn(1))
    delta('so', 0)
    const use: AssistantPart = { type: 'tool_use', id: 'c', name: 'look', input: { a: 1 } }
    event('message.assistant', message([{ type: 'reasoning', text: 'hm' }, text('so far'), use], { final: false }))
    expect(picture.turn(1)).toMatchObject({
      content: 'so far',
      reasoning: 'hm',
      toolCalls: [{ callId: 'c', name: 'look', args: '{"a":1}' }],
    })
  })

  test('shows arguments that did not parse as they came', () => {
    const { picture, event } = draw()
    const use: AssistantPart = { type: 'tool_use', id: 'c', name: 'look', input: {}, raw: '{broken' }
    event('message.assistant', message([use], { final: false }))
    expect(picture.turn(1)?.toolCalls).toMatchObject([{ args: '{broken' }])
  })

  test.each([
    ['end_turn', 'completed'],
    ['tool_use', 'completed'],
    ['max_tokens', 'completed'],
    ['error', 'error'],
    ['timeout', 'error'],
    ['cancelled', 'error'],
  ] as const)('that ended with %s is %s', (stopReason, status) => {
    const { picture, event } = draw()
    event('turn.started', startTurn(1))
    event('turn.ended', endTurn(1, stopReason))
    expect(picture.turn(1)).toMatchObject({ status, usage, endedAt: 20 })
  })

  test('learns what came of its calls', () => {
    const { picture, event } = draw()
    const use: AssistantPart = { type: 'tool_use', id: 'c', name: 'look', input: {} }
    event('message.assistant', message([use], { final: false }))
    event('turn.started', startTurn(2))
    const changed = event('tool.result', {
      callId: 'c',
      name: 'look',
      signature: '',
      outcome: 'ok',
      effect: 'none',
      content: 'seen',
      durationMs: 1,
      cost: 0,
    })
    expect(changed).toBe(1)
    expect(picture.turn(1)?.toolCalls).toMatchObject([{ outcome: 'ok' }])
  })

  test('that was given out does not change afterwards', () => {
    const { picture, event, delta } = draw()
    event('turn.started', startTurn(1))
    delta('{}', 0, { kind: 'args', callId: 'c', name: 'look' })
    const before = picture.turn(1)
    const copy = structuredClone(before)
    delta('more', 2, { kind: 'args', callId: 'c' })
    delta('text', 0)
    expect(before).toEqual(copy)
  })
})

describe('the completion', () => {
  test('has no finish reason before the end', () => {
    expect(draw().picture.completion()).toEqual({
      requestId: 'r',
      sessionId: 's',
      content: '',
      finishReason: null,
      usage: { input: 0, output: 0 },
      cost: 0,
      calls: [],
    })
  })

  test('is the final answer and what the end says', () => {
    const { picture, event } = draw()
    event('turn.started', startTurn(1))
    event('message.assistant', message([text('It is fine.')]))
    event('turn.ended', endTurn(1))
    event('round.ended', { finishReason: 'complete', usage, cost: 7 })
    expect(picture.completion()).toMatchObject({ content: 'It is fine.', finishReason: 'complete', usage, cost: 7 })
  })

  test('is the farewell where a turn broke off, and the turn keeps its text', () => {
    const { picture, event } = draw()
    event('turn.started', startTurn(1))
    event('message.assistant', message([text('half')], { final: false, interrupted: true, stopReason: 'cancelled' }))
    event('turn.ended', endTurn(1, 'cancelled'))
    event('message.assistant', message([text('(Stopped on request.)')], { own: true }))
    event('round.ended', { finishReason: 'cancelled', usage, cost: 0 })
    expect(picture.completion().content).toBe('(Stopped on request.)')
    expect(picture.turn(1)?.content).toBe('half')
    expect(picture.turns()).toHaveLength(1)
  })

  test('says what went wrong', () => {
    const { picture, event } = draw()
    event('round.ended', { finishReason: 'error', usage, cost: 0, error: 'the key was refused' })
    expect(picture.completion()).toMatchObject({ finishReason: 'error', error: 'the key was refused' })
  })
})
