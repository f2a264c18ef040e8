import { expect, test } from 'vitest'
import type { Message } from '../../../src/contract/message.ts'
import { toAnthropic } from './to-anthropic.ts'
import { toOpenAi } from './to-openai.ts'

const messages: Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'hello' }], eventIds: ['1'] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm', meta: { of: 'anthropic:claude', data: { anthropic: { signature: 'sig' } } } },
      { type: 'reasoning', text: 'unsigned' },
      { type: 'text', text: 'let me see' },
      { type: 'tool_use', id: 'a', name: 'look', input: { x: 1 } },
    ],
    eventIds: ['2'],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: 'seen', is_error: false },
      { type: 'text', text: 'and' },
      { type: 'text', text: 'now?' },
    ],
    eventIds: ['3', '4', '5'],
  },
]

test('a conversation becomes what the Messages API takes', () => {
  expect(toAnthropic(messages)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'text', text: 'let me see' },
        { type: 'tool_use', id: 'a', name: 'look', input: { x: 1 } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'seen', is_error: false },
        { type: 'text', text: 'and' },
        { type: 'text', text: 'now?' },
      ],
    },
  ])
})

test('a conversation becomes what the Chat Completions API takes', () => {
  expect(toOpenAi(messages)).toEqual([
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      content: 'let me see',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"x":1}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
    { role: 'user', content: 'and\nnow?' },
  ])
})
