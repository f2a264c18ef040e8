import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { calls, done, says, thinks } from '../../../tests/support/ollama-server.ts'
import { lineSplitter } from './line-splitter.ts'
import { partStream } from './part-stream.ts'

type Part = LanguageModelV4StreamPart

const bytesOf = (...lines: (object | string)[]): Buffer =>
  Buffer.from(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))

async function partsOf(...chunks: Uint8Array[]): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of partStream(ReadableStream.from(chunks), (message) => new Error(message))) parts.push(part)
  return parts
}

const typesOf = (parts: readonly Part[]): string[] => parts.map(({ type }) => type)
const messageOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.type === 'error' ? [(part.error as Error).message] : []))
const spoken = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

const ANSWER = bytesOf(
  thinks('Ich überlege …'),
  says('Grüße 👩‍👩‍👧, '),
  says('ça va?'),
  calls({ id: 'a', name: 'look', arguments: { at: 'Übersee', n: 1 } }),
  done(),
  '',
)

describe('an answer', () => {
  test('becomes blocks of reasoning and text, whole calls and a finish', async () => {
    const parts = await partsOf(ANSWER)
    expect(parts).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Ich überlege …' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Grüße 👩‍👩‍👧, ' },
      { type: 'text-delta', id: '1', delta: 'ça va?' },
      { type: 'text-end', id: '1' },
      { type: 'tool-input-start', id: 'a', toolName: 'look' },
      { type: 'tool-input-delta', id: 'a', delta: '{"at":"Übersee","n":1}' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"at":"Übersee","n":1}' },
      {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'stop' },
        usage: {
          inputTokens: { total: 26, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 282, text: undefined, reasoning: undefined },
        },
      },
    ])
  })

  test('is the same wherever its bytes are cut, in the middle of a character too', async () => {
    const whole = await partsOf(ANSWER)
    for (let at = 1; at < ANSWER.length; at++)
      expect(await partsOf(ANSWER.subarray(0, at), ANSWER.subarray(at))).toEqual(whole)
    expect(await partsOf(...Array.from(ANSWER, (byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  test('that breaks off anywhere has an error and no finish, and no call that had not come whole', async () => {
    const lineOfCall = ANSWER.indexOf('"tool_calls"')
    const endOfCall = ANSWER.indexOf('\n', lineOfCall)
    // From its closing brace on the last line is whole, with or without the line break.
    const end = ANSWER.lastIndexOf('}')
    for (let at = 0; at <= end; at++) {
      const types = typesOf(await partsOf(ANSWER.subarray(0, at)))
      expect(types.at(-1)).toBe('error')
      expect(types).not.toContain('finish')
      expect(types.includes('tool-call'), `cut at ${at}`).toBe(at >= endOfCall)
    }
    expect(typesOf(await partsOf(ANSWER.subarray(0, end + 1))).at(-1)).toBe('finish')
  })

  test('may come with blank lines, and what follows its end is nobody’s', async () => {
    const parts = await partsOf(bytesOf('', says('Hi.'), '\r', done(), says('more'), 'no JSON'))
    expect(spoken(parts)).toBe('Hi.')
    expect(typesOf(parts).at(-1)).toBe('finish')
  })

  test('may hold its last words in the line that ends it', async () => {
    const parts = await partsOf(bytesOf(done({ message: { role: 'assistant', content: 'Bye.' } })))
    expect(typesOf(parts)).toEqual(['stream-start', 'text-start', 'text-delta', 'text-end', 'finish'])
  })

  test('takes up text again after a call in a block of its own', async () => {
    const parts = await partsOf(bytesOf(says('a'), calls({ name: 'x' }), says('b'), done()))
    expect(parts.flatMap((part) => (part.type === 'text-start' ? [part.id] : []))).toEqual(['0', '1'])
  })
})

describe('calls', () => {
  const callsIn = async (...given: Parameters<typeof calls>) =>
    (await partsOf(bytesOf(calls(...given), done()))).filter((part) => part.type === 'tool-call')

  test('without an id get one each, as does one whose id was used before', async () => {
    const found = await callsIn({ name: 'x' }, { name: 'x' }, { id: 'a', name: 'x' }, { id: 'a', name: 'x' })
    expect(new Set(found.map(({ toolCallId }) => toolCallId)).size).toBe(4)
    expect(found[2]?.toolCallId).toBe('a')
  })

  test('without arguments have none, and arguments that are no object are handed on as they are', async () => {
    const found = await callsIn(
      { name: 'x' },
      { name: 'x', arguments: null },
      { name: 'x', arguments: '{"half' },
      { name: 'x', arguments: [1] },
    )
    expect(found.map(({ input }) => input)).toEqual(['{}', '{}', '{"half', '[1]'])
  })

  test('that make no sense have no name, which nobody runs', async () => {
    const odd = { message: { tool_calls: [null, 'x', {}, { function: { name: 7 } }] }, done: false }
    const found = (await partsOf(bytesOf(odd, done()))).filter((part) => part.type === 'tool-call')
    expect(found.map(({ toolName }) => toolName)).toEqual(['', '', '', ''])
  })
})

describe('the end', () => {
  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    [undefined, 'stop'],
    ['load', 'other'],
  ])('of the reason %s means %s', async (done_reason, unified) => {
    const parts = await partsOf(bytesOf(says('Hi.'), done({ done_reason })))
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified, raw: done_reason } })
  })

  test('without counts has no usage, which is not the same as none', async () => {
    const parts = await partsOf(bytesOf(says('Hi.'), done({ prompt_eval_count: undefined, eval_count: 'many' })))
    expect(parts.at(-1)).toMatchObject({
      usage: { inputTokens: { total: undefined }, outputTokens: { total: undefined } },
    })
  })
})

describe('an error', () => {
  test.each([
    ['a line that is no JSON', 'data: {"message"', 'no JSON object'],
    ['a line that is JSON and no object', '["message"]', 'no JSON object'],
    ['a page of a proxy', '<html><body>502</body></html>', 'no JSON object'],
    ['an error line', { error: 'the runner died' }, 'the runner died'],
    ['an error that is no text', { error: { code: 1 } }, 'no reason given'],
  ])('is %s, and nothing after it counts', async (_, line, told) => {
    const parts = await partsOf(bytesOf(says('Hi.'), line, says('more'), done()))
    expect(messageOf(parts)).toEqual([expect.stringContaining(told)])
    expect(spoken(parts)).toBe('Hi.')
    expect(typesOf(parts)).not.toContain('finish')
  })

  test('of the connection is the error of the stream', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf(says('Hi.'), '')),
      pull: (controller) => controller.error(new Error('reset')),
    })
    const reading = Array.fromAsync(partStream(body, (message) => new Error(message)))
    await expect(reading).rejects.toThrow('reset')
  })
})

test('a line without an end is given up before it fills the memory', () => {
  const lines = lineSplitter(10)
  expect(lines.push(Buffer.from('12345\n123456'))).toEqual(['12345'])
  expect(() => lines.push(Buffer.from('78901'))).toThrow('more than 10 characters')
})

test('whoever stops reading lets go of the connection', async () => {
  const cancelled = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytesOf(says('Hi.'), '')),
    cancel: () => cancelled.resolve(),
  })
  const reader = partStream(body, (message) => new Error(message)).getReader()
  await reader.read()
  await reader.cancel()
  await cancelled.promise
})
