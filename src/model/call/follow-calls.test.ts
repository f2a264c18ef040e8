import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { followCalls } from './follow-calls.ts'

const start = (id: string): LanguageModelV4StreamPart => ({ type: 'tool-input-start', id, toolName: `use_${id}` })
const args = (id: string, delta: string): LanguageModelV4StreamPart => ({ type: 'tool-input-delta', id, delta })
const text = (delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 't', delta })
const thought = (delta: string): LanguageModelV4StreamPart => ({ type: 'reasoning-delta', id: 'r', delta })

/** The first complete call and the number of the part that shows it. */
function firstOf(...parts: readonly LanguageModelV4StreamPart[]) {
  const calls = followCalls()
  for (const [at, part] of parts.entries()) {
    const ended = calls.endedBy(part)
    if (ended) return { at, name: ended.toolName, input: ended.input }
  }
  return undefined
}

const WHOLE = '{"n":1}'

verifies('PHA-3', 'a whole call is ended by the next call, by text and by thoughts', () => {
  for (const next of [start('b'), text('And'), thought('Hm')])
    expect(firstOf(start('a'), args('a', WHOLE), next)).toEqual({ at: 2, name: 'use_a', input: WHOLE })
})

verifies('PHA-3', 'nothing that is no content ends a call', () => {
  expect(firstOf(start('a'), args('a', WHOLE), text(''), args('a', ''), args('a', ' '))).toBeUndefined()
  expect(firstOf(start('a'), args('a', WHOLE), { type: 'text-end', id: 't' })).toBeUndefined()
})

verifies('PHA-3', 'a call that may still go on is not ended by the start of the next', () => {
  expect(firstOf(start('a'), start('b'), text('x'))).toBeUndefined()
  expect(firstOf(start('a'), args('a', '{"n":'), start('b'), text('x'))).toBeUndefined()
})

verifies('PHA-3', 'of interleaved calls the one that is whole first is the first', () => {
  const begun = [start('a'), start('b'), args('a', '{"n":'), args('b', '{"n":')]
  expect(firstOf(...begun, args('a', '1}'), args('b', '2}'))).toEqual({ at: 5, name: 'use_a', input: WHOLE })
  expect(firstOf(...begun, args('b', '2}'), args('a', '1}'))).toEqual({ at: 5, name: 'use_b', input: '{"n":2}' })
})

verifies('PHA-3', 'arguments that can never be an object are ended by the next call only', () => {
  const broken = [start('a'), args('a', '{n:1}')]
  expect(firstOf(...broken, text('x'))).toBeUndefined()
  expect(firstOf(...broken, text('x'), start('b'))).toEqual({ at: 3, name: 'use_a', input: '{n:1}' })
})
