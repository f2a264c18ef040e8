import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { ScriptedTurn } from './script.ts'
import { isDelta, streamParts } from './stream-parts.ts'

const play = (turn: ScriptedTurn, message = 'hi') =>
  streamParts(turn, { message }, [{ role: 'system', content: '12345' }])
const types = (turn: ScriptedTurn) => play(turn).parts.map((part) => part.type)
const deltas = (turn: ScriptedTurn, message?: string) =>
  play(turn, message)
    .parts.filter(isDelta)
    .map((part) => part.delta)
const finish = (turn: ScriptedTurn) => {
  const last = play(turn).parts.at(-1)
  if (last?.type !== 'finish') throw new Error('no finish')
  return last
}

describe('a turn', () => {
  it('sends reasoning, then text, then calls, then the finish', () => {
    expect(types({ calls: [{ name: 'a', args: {} }], text: 't', reasoning: 'r' })).toEqual([
      'stream-start',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ])
  })

  it('without anything in it is an empty answer', () => {
    expect(types({})).toEqual(['stream-start', 'finish'])
    expect(finish({}).finishReason).toEqual({ unified: 'stop', raw: 'end_turn' })
  })

  it('comes in pieces of 16 characters unless told otherwise', () => {
    expect(deltas({ text: '0123456789abcdefXYZ' })).toEqual(['0123456789abcdef', 'XYZ'])
    expect(deltas({ text: 'abcd', reasoning: 'xyz', deltaChars: 2 })).toEqual(['xy', 'z', 'ab', 'cd'])
  })

  it('puts the message where {{message}} stands, dollar signs and all', () => {
    expect(deltas({ text: '{{message}}|{{message}}', reasoning: '<{{message}}>' }, 'a $& b')).toEqual([
      '<a $& b>',
      'a $& b|a $& b',
    ])
  })
})

describe('calls', () => {
  const callsOf = (turn: ScriptedTurn) => play(turn).parts.filter((part) => part.type === 'tool-call')

  it('carry their arguments as JSON, and as given when raw', () => {
    const calls = [
      { name: 'a', args: { x: 1 } },
      { name: 'b', rawArgs: '{"x": ' },
      { name: 'c', rawArgs: '' },
      { name: 'd' },
    ]
    expect(callsOf({ calls }).map((call) => call.input)).toEqual(['{"x":1}', '{"x": ', '', '{}'])
  })

  it('are named call_1, call_2 in every stream anew', () => {
    const turn = { calls: [{ name: 'a' }, { name: 'b' }] }
    expect(callsOf(turn).map((call) => call.toolCallId)).toEqual(['call_1', 'call_2'])
    expect(callsOf(turn).map((call) => call.toolCallId)).toEqual(['call_1', 'call_2'])
  })

  it('may share an id', () => {
    const calls = [{ name: 'a', id: 'same' }, { name: 'b', id: 'same' }, { name: 'c' }]
    expect(callsOf({ calls }).map((call) => call.toolCallId)).toEqual(['same', 'same', 'call_3'])
  })

  it('send their arguments in as many deltas as asked, under the id of the call', () => {
    const parts = play({ calls: [{ name: 'a', args: { x: 12 } }], argDeltas: 3 }).parts.slice(1, -1)
    expect(parts).toEqual([
      { type: 'tool-input-start', id: 'call_1', toolName: 'a' },
      { type: 'tool-input-delta', id: 'call_1', delta: '{"' },
      { type: 'tool-input-delta', id: 'call_1', delta: 'x":' },
      { type: 'tool-input-delta', id: 'call_1', delta: '12}' },
      { type: 'tool-input-end', id: 'call_1' },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'a', input: '{"x":12}' },
    ] satisfies LanguageModelV4StreamPart[])
  })

  it('send no delta for empty arguments', () => {
    expect(deltas({ calls: [{ name: 'a', rawArgs: '' }], argDeltas: 3 })).toEqual([])
  })
})

describe('the finish', () => {
  it.each([
    ['end_turn', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
  ] as const)('says %s as %s', (stopReason, unified) => {
    expect(finish({ stopReason }).finishReason).toEqual({ unified, raw: stopReason })
  })

  it('is tool_use with calls unless told otherwise', () => {
    expect(finish({ calls: [{ name: 'a' }] }).finishReason.unified).toBe('tool-calls')
    expect(finish({ calls: [{ name: 'a' }], stopReason: 'end_turn' }).finishReason.unified).toBe('stop')
  })

  it('estimates tokens as a quarter of the characters, rounded up', () => {
    const { usage } = finish({ text: '12345', reasoning: '12', calls: [{ name: 'a', rawArgs: '12' }] })
    expect(usage.inputTokens.total).toBe(2)
    expect(usage.outputTokens.total).toBe(3)
  })

  it('reports the usage it was given', () => {
    const { usage } = finish({ usage: { input: 10, output: 5, cachedRead: 6, cachedWrite: 1, reasoning: 2 } })
    expect(usage).toEqual({
      inputTokens: { total: 10, noCache: 3, cacheRead: 6, cacheWrite: 1 },
      outputTokens: { total: 5, text: 3, reasoning: 2 },
    })
  })
})

describe('a fault', () => {
  const turn = { reasoning: 'r', text: 'ab', deltaChars: 1, calls: [{ name: 'a', args: {} }] }

  it('cuts after deltas counted across reasoning, text and arguments', () => {
    const cut = (afterDeltas: number) => play({ ...turn, fault: { kind: 'cut', afterDeltas } })
    expect(cut(0)).toEqual({ parts: [{ type: 'stream-start', warnings: [] }], end: 'close' })
    expect(cut(1).parts.at(-1)?.type).toBe('reasoning-delta')
    expect(cut(3).parts.at(-1)).toEqual({ type: 'text-delta', id: 'text', delta: 'b' })
    expect(cut(4).parts.at(-1)?.type).toBe('tool-input-delta')
  })

  it('comes before the finish when there are fewer deltas', () => {
    expect(play({ text: 'half', fault: { kind: 'cut', afterDeltas: 3 } }).parts.at(-1)?.type).toBe('text-end')
    expect(play({ ...turn, fault: { kind: 'cut', afterDeltas: 9 } }).parts.at(-1)?.type).toBe('tool-call')
  })

  it('hangs when it stalls, at once or after deltas', () => {
    expect(play({ ...turn, fault: { kind: 'stall' } })).toMatchObject({ parts: { length: 1 }, end: 'hang' })
    expect(play({ ...turn, fault: { kind: 'stall', afterDeltas: 1 } })).toMatchObject({
      parts: { length: 3 },
      end: 'hang',
    })
  })

  it('ends with an error part after deltas', () => {
    const { parts, end } = play({ ...turn, fault: { kind: 'error', status: 500, afterDeltas: 2 } })
    expect(end).toBe('close')
    expect(parts.slice(-2)).toMatchObject([
      { type: 'text-delta', id: 'text', delta: 'a' },
      { type: 'error', error: { statusCode: 500, isRetryable: true } },
    ])
  })
})
