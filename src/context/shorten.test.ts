import { describe, expect, test } from 'vitest'
import type { FilePart, Message } from '../contract/message.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { tokensOf } from './cut.ts'
import { shorten, whatToShorten, type Note } from './shorten.ts'
import { betweenMarkers } from '../lib/between-markers.ts'

const LEFT_OUT = /\[… (\d+) characters of this older result left out\]/

function round(...results: string[]): Message[] {
  return [
    { role: 'user', content: [{ type: 'text', text: 'do it' }], eventIds: [] },
    ...results.flatMap((content, at): Message[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'look', input: {} }], eventIds: [] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `c${at}`, content, is_error: false }],
        eventIds: [],
      },
    ]),
  ]
}

/** What is left of messages and notes within so many tokens. */
const shortened = (messages: Message[], notes: readonly Note[], tokens: number) =>
  shorten({ messages, notes }, whatToShorten(messages, notes, tokens))

let notes = 0
const note = (text: string, ...files: FilePart[]): Note => {
  notes += 1
  return { text, files, call: notes, callId: `note ${notes}`, tool: 'look' }
}

const resultsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_result' ? [part.content] : [])))

describe('inside one huge round', () => {
  verifies('ORC-6', 'the oldest results are shortened, marked, until the rest fits', () => {
    const big = 'x'.repeat(3000)
    const { messages } = shortened(round(big, big, big), [], tokensOf(7000))
    const [first, second, third] = resultsOf(messages)
    expect(first).toMatch(LEFT_OUT)
    expect(LEFT_OUT.exec(first ?? '')?.[1]).toBe('2500')
    expect([second, third]).toEqual([big, big])
  })

  verifies('ORC-6', 'every use keeps its result and the user message stays', () => {
    const before = round('y'.repeat(5000), 'z'.repeat(5000))
    const { messages } = shortened(before, [], 1)
    const shapes = (list: readonly Message[]): unknown[] =>
      list.map(({ role, content }) => [role, content.map(({ type }) => type)])
    expect(shapes(messages)).toEqual(shapes(before))
    expect(messages[0]).toEqual(before[0])
    expect(resultsOf(messages).every((content) => LEFT_OUT.test(content))).toBe(true)
  })

  verifies('ORC-6', 'so are results that are shown as notes', () => {
    const big = 'x'.repeat(3000)
    const short = note('short')
    const shown = shortened(round(), [note(big), note(big), short], tokensOf(4000)).notes
    expect(shown.map(({ text }) => LEFT_OUT.test(text))).toEqual([true, false, false])
    expect(shown[2]).toEqual(short)
  })
})

test('what fits is left alone, and so is what shortening would not make shorter', () => {
  const messages = round('x'.repeat(400))
  const one = note('note')
  expect(shortened(messages, [one], 10_000)).toEqual({ messages, notes: [one] })
  expect(resultsOf(shortened(messages, [], 1).messages)).toEqual(resultsOf(messages))
})

test('what is marked as untrusted stays marked to its end', () => {
  const marked = betweenMarkers('x'.repeat(3000), 'call', 'what look returned')
  const [short] = resultsOf(shortened(round(marked), [], 10).messages)
  expect(short).toMatch(/^<untrusted-data [0-9a-f]{16}>\n/)
  expect(short).toMatch(/\n<\/untrusted-data [0-9a-f]{16}>\n\(The text between the markers/)
  expect(short?.match(/<\/untrusted-data/g)).toHaveLength(1)
  expect(short?.length).toBeLessThan(1000)
})

test('no half of a character is left at the cut', () => {
  const [short] = resultsOf(shortened(round(`${'x'.repeat(499)}😀${'y'.repeat(3000)}`), [], 10).messages)
  expect(short?.isWellFormed()).toBe(true)
})
