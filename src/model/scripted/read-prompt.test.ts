import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { betweenMarkers } from '../../lib/between-markers.ts'
import { promptChars, readPrompt } from './read-prompt.ts'

const user = (...texts: string[]) => ({
  role: 'user' as const,
  content: texts.map((text) => ({ type: 'text' as const, text })),
})
const assistant = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] })
const file = { type: 'file' as const, data: { type: 'text' as const, text: 'long' }, mediaType: 'text/plain' }

describe('readPrompt', () => {
  it('finds the last user message', () => {
    expect(readPrompt({ prompt: [user('one'), assistant('yes'), user('two')] }).message).toBe('two')
  })

  it('takes the last text of a message with several', () => {
    expect(readPrompt({ prompt: [user('context', 'question')] }).message).toBe('question')
  })

  it.each([
    ['a text of its own', user('[From Segno, not from the user: Today is Monday.]', 'question')],
    ['the same text', user('[From Segno, not from the user: Today.]\n\n[From Segno, not: there.]\n\nquestion')],
    ['a summary', user(`${betweenMarkers('a\n\nb', 'id', 'a summary')}\n\n[From Segno, not: there.]\n\nquestion`)],
  ])('leaves out what Segno says before the user in %s', (_, message) => {
    expect(readPrompt({ prompt: [message] }).message).toBe('question')
  })

  it('passes over what only Segno says', () => {
    const told = user('[From Segno, not from the user: Tool budget reached.]')
    expect(readPrompt({ prompt: [user('one'), assistant('a'), told] }).message).toBe('one')
  })

  it('takes a text between markers as what was said where nothing else was', () => {
    const marked = betweenMarkers('a\n\nb', 'id', 'a file')
    expect(readPrompt({ prompt: [user(marked)] }).message).toBe(marked)
  })

  it('passes over user messages without text', () => {
    expect(readPrompt({ prompt: [user('one'), { role: 'user', content: [file] }] }).message).toBe('one')
  })

  it('is the empty message without any user', () => {
    expect(readPrompt({ prompt: [{ role: 'system', content: 's' }] })).toEqual({ message: '', call: 1 })
  })

  it('counts the assistant messages since the last user text when it is not told the call', () => {
    const prompt = [user('one'), assistant('a'), user('two'), assistant('b'), assistant('c')]
    expect(readPrompt({ prompt }).call).toBe(3)
  })

  it('believes the call it is told', () => {
    expect(readPrompt({ prompt: [user('one')], providerOptions: { segno: { call: 4 } } }).call).toBe(4)
  })

  it.each([0, 1.5, '2', null])('does not believe call %j', (call) => {
    expect(readPrompt({ prompt: [user('one')], providerOptions: { segno: { call } } }).call).toBe(1)
  })
})

describe('promptChars', () => {
  it('counts text, reasoning, arguments and results', () => {
    const prompt: LanguageModelV4Prompt = [
      { role: 'system', content: '12345' },
      user('123', '45'),
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: '123' },
          { type: 'text', text: '12' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'tool1', input: { key: ['12', '34'], n: 7 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'tool1', output: { type: 'text', value: '1234567890' } },
          { type: 'tool-result', toolCallId: 'b', toolName: 'tool1', output: { type: 'json', value: { a: '1' } } },
          { type: 'tool-result', toolCallId: 'c', toolName: 'tool1', output: { type: 'execution-denied' } },
        ],
      },
    ]
    expect(promptChars(prompt)).toBe(5 + 5 + 3 + 2 + (5 + 3 + 4 + 1 + 1) + 10 + 2)
  })
})
