import { describe, expect, test } from 'vitest'
import { openAiFault, type OpenAiCall, type OpenAiMessage } from './openai.ts'

const user = (content: string): OpenAiMessage => ({ role: 'user', content })
const says = (content: string): OpenAiMessage => ({ role: 'assistant', content })
const call = (id: string, args = '{}', name = 'look'): OpenAiCall => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const calls = (...all: OpenAiCall[]): OpenAiMessage => ({ role: 'assistant', content: null, tool_calls: all })
const tool = (id: string): OpenAiMessage => ({ role: 'tool', tool_call_id: id, content: 'seen' })

describe('the OpenAI acceptor takes', () => {
  test.each<[string, OpenAiMessage[]]>([
    ['a question', [user('hello')]],
    ['a system message first', [{ role: 'system', content: 'be kind' }, user('hello')]],
    ['an answer', [user('hello'), says('hi'), user('and?')]],
    ['a call and its tool message', [user('hello'), calls(call('a')), tool('a'), says('done')]],
    ['tool messages in another order', [user('hello'), calls(call('a'), call('b')), tool('b'), tool('a')]],
    ['text beside a call', [user('x'), { role: 'assistant', content: 'so', tool_calls: [call('a')] }, tool('a')]],
    ['the same tool called again later', [user('x'), calls(call('a')), tool('a'), calls(call('b')), tool('b')]],
  ])('%s', (_, messages) => {
    expect(openAiFault(messages)).toBeUndefined()
  })
})

describe('the OpenAI acceptor refuses', () => {
  test.each<[string, OpenAiMessage[], string]>([
    ['nothing at all', [], 'messages is empty'],
    ['an empty user message', [user('')], 'content is required'],
    ['an empty answer', [user('x'), says('')], 'content is required'],
    ['an answer that is null', [user('x'), { role: 'assistant', content: null }], 'content is required'],
    ['an empty list of calls', [user('x'), { role: 'assistant', content: 'y', tool_calls: [] }], 'tool_calls is empty'],
    ['a call nobody answers', [user('x'), calls(call('a'))], 'without their tool message: a'],
    ['one of two calls unanswered', [user('x'), calls(call('a'), call('b')), tool('a')], 'tool message: b'],
    [
      'a user message between a call and its answer',
      [user('x'), calls(call('a')), user('wait'), tool('a')],
      'messages[2]: calls without their tool message: a',
    ],
    [
      'an assistant message between a call and its answer',
      [user('x'), calls(call('a')), says('wait'), tool('a')],
      'messages[2]: calls without',
    ],
    ['a tool message nobody asked for', [user('x'), tool('a')], 'must answer a call'],
    ['two answers to one call', [user('x'), calls(call('a')), tool('a'), tool('a')], 'messages[3]: a tool message'],
    ['an answer to an earlier call', [user('x'), calls(call('a')), tool('a'), says('y'), tool('a')], 'must answer'],
    ['an id used twice', [user('x'), calls(call('a')), tool('a'), calls(call('a')), tool('a')], 'was used before'],
    ['an id used twice at once', [user('x'), calls(call('a'), call('a')), tool('a')], 'was used before'],
    ['a call without an id', [user('x'), calls(call('')), tool('')], 'needs an id'],
    ['arguments that do not parse', [user('x'), calls(call('a', '{"x":')), tool('a')], 'are not JSON'],
    ['no arguments at all', [user('x'), calls(call('a', '')), tool('a')], 'are not JSON'],
    ['arguments that are a list', [user('x'), calls(call('a', '[1]')), tool('a')], 'not a JSON object'],
    ['arguments that are null', [user('x'), calls(call('a', 'null')), tool('a')], 'not a JSON object'],
    ['a name with a space', [user('x'), calls(call('a', '{}', 'do it')), tool('a')], 'not a function name'],
    ['no name', [user('x'), calls(call('a', '{}', '')), tool('a')], 'not a function name'],
    ['a name that is too long', [user('x'), calls(call('a', '{}', 'n'.repeat(65))), tool('a')], 'not a function name'],
  ])('%s', (_, messages, fault) => {
    expect(openAiFault(messages)).toContain(fault)
  })
})
