import { describe, expect, test } from 'vitest'
import { createSent } from '../sent.ts'
import type { Dict } from '../values.ts'
import { checkChat } from './chat.ts'

const tool = (name: string, more: Dict = {}): Dict => ({
  type: 'function',
  function: { name, description: 'looks', parameters: { type: 'object', properties: {} }, ...more },
})
const call = (id: string, args = '{}', name = 'look'): Dict => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const system: Dict = { role: 'system', content: 'be kind' }
const user = (content: unknown): Dict => ({ role: 'user', content })
const says = (content: unknown): Dict => ({ role: 'assistant', content })
const calls = (...all: Dict[]): Dict => ({ role: 'assistant', content: null, tool_calls: all })
const answer = (id: string, content: unknown = 'seen'): Dict => ({ role: 'tool', tool_call_id: id, content })
const picture = (url: string): Dict => user([{ type: 'image_url', image_url: { url } }])
const hello = user('hello')

const body = (more: Dict = {}): Dict => ({
  model: 'gpt-4.1',
  stream: true,
  stream_options: { include_usage: true },
  tools: [tool('look')],
  tool_choice: 'auto',
  messages: [system, hello],
  ...more,
})
const talk = (...messages: Dict[]): Dict => body({ messages })
const faultsOf = (request: Dict): string[] => checkChat(request, { sent: createSent() }).map(({ message }) => message)

describe('Chat Completions takes', () => {
  test.each<[string, Dict]>([
    ['a question', body()],
    ['an answer and a further question', talk(hello, says('hi'), user('and?'))],
    ['a system message in between', talk(hello, says('hi'), system, hello)],
    ['a call and its answer', talk(hello, calls(call('a')), answer('a'))],
    ['answers in another order', talk(hello, calls(call('a'), call('b')), answer('b'), answer('a'))],
    ['text beside a call', talk(hello, { ...calls(call('a')), content: 'so' }, answer('a'))],
    ['an empty answer of a tool', talk(hello, calls(call('a')), answer('a', ''))],
    ['an id again in a later exchange', talk(hello, calls(call('a')), answer('a'), calls(call('a')), answer('a'))],
    ['a picture that comes along', talk(picture('data:image/png;base64,aGVsbG8='))],
    ['a picture that is named', talk(picture('https://example.org/a.png'))],
    ['the choice of a tool', body({ tool_choice: { type: 'function', function: { name: 'look' } } })],
    ['no tools', body({ tools: undefined, tool_choice: undefined })],
    ['a model that thinks', body({ model: 'gpt-5.4', max_completion_tokens: 100 })],
  ])('%s', (_, request) => {
    expect(faultsOf(request)).toEqual([])
  })
})

describe('Chat Completions refuses', () => {
  test.each<[string, Dict, string]>([
    ['a field nobody knows', body({ top_k: 3 }), 'Unrecognized request argument supplied: top_k'],
    [
      'a strict schema of the answer with a field that may be missing',
      body({
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', strict: true, schema: { type: 'object', properties: { a: { type: 'string' } } } },
        },
      }),
      "'required' must name every property",
    ],
    ['an answer in a format nobody knows', body({ response_format: { type: 'xml' } }), 'response_format.type'],
    ['no model', body({ model: undefined }), 'you must provide a model'],
    [
      'a temperature in a model that thinks',
      body({ model: 'gpt-5.4', temperature: 0.7 }),
      "Unsupported parameter: 'temperature'",
    ],
    [
      'max_tokens in a model that thinks',
      body({ model: 'o4-mini', max_tokens: 7 }),
      "Unsupported parameter: 'max_tokens'",
    ],
    ['options of a stream without one', body({ stream: false }), "'stream_options' parameter is only allowed"],

    [
      'a tool choice without tools',
      body({ tools: undefined }),
      "'tool_choice' is only allowed when 'tools' are specified",
    ],
    [
      'parallel calls without tools',
      body({ tools: undefined, tool_choice: undefined, parallel_tool_calls: true }),
      "'parallel_tool_calls' is only allowed",
    ],
    ['an empty list of tools', body({ tools: [] }), "Invalid 'tools': empty array"],
    [
      'more than 128 tools',
      body({ tools: Array.from({ length: 129 }, (_, at) => tool(`look${at}`)) }),
      "Invalid 'tools': array too long",
    ],
    [
      'a tool with a strange name',
      body({ tools: [tool('look up')] }),
      "Invalid 'tools[0].function.name': string does not match",
    ],
    [
      'a tool with a name too long',
      body({ tools: [tool('a'.repeat(65))] }),
      "Invalid 'tools[0].function.name': string too long",
    ],
    ['a tool without a name', body({ tools: [tool('')] }), "Missing required parameter: 'tools[0].function.name'"],
    [
      'a description too long',
      body({ tools: [tool('look', { description: 'a'.repeat(1025) })] }),
      'maximum length 1024',
    ],
    [
      'a field of a tool nobody knows',
      body({ tools: [tool('look', { effect: 'pure' })] }),
      "Unknown parameter: 'tools[0].function.effect'",
    ],
    [
      'a schema that is no object',
      body({ tools: [tool('look', { parameters: { type: 'string' } })] }),
      `'type: "object"', got 'type: "string"'`,
    ],
    ['a schema of nothing', body({ tools: [tool('look', { parameters: {} })] }), `got 'type: "None"'`],
    [
      'a choice of schemas at the top',
      body({ tools: [tool('look', { parameters: { type: 'object', oneOf: [{}] } })] }),
      'at the top level',
    ],
    [
      'a schema without properties',
      body({ tools: [tool('look', { parameters: { type: 'object' } })] }),
      'object schema missing properties',
    ],
    [
      'a list without items',
      body({ tools: [tool('look', { parameters: { type: 'object', properties: { a: { type: 'array' } } } })] }),
      "In context=('properties', 'a'), array schema missing items",
    ],
    [
      'what is no schema',
      body({ tools: [tool('look', { parameters: { type: 'object', properties: { a: { type: 'text' } } } })] }),
      '$.properties.a.type is not valid',
    ],
    [
      'the choice of a tool that is not there',
      body({ tool_choice: { type: 'function', function: { name: 'hear' } } }),
      "function 'hear' is not in 'tools'",
    ],
    ['a choice nobody knows', body({ tool_choice: 'some' }), "Invalid value for 'tool_choice'"],

    ['no message', talk(), "Invalid 'messages': empty array"],
    ['a role of its own', talk(hello, { role: 'model', content: 'x' }), "Invalid value: 'model'"],
    ['an assistant message last', talk(hello, says('hi')), 'must not be from the assistant'],
    ['an empty question', talk(user('')), "Invalid 'messages[0].content'"],
    ['a blank answer', talk(hello, says(' '), hello), "Invalid 'messages[1].content'"],
    ['an answer that is null', talk(hello, says(null), hello), 'expected a string, got null'],
    ['no parts', talk(user([])), 'empty array'],
    ['an empty part', talk(user([{ type: 'text', text: '' }])), "Invalid 'messages[0].content[0].text'"],
    ['a picture by the assistant', talk(hello, says([{ type: 'image_url' }]), hello), "Invalid value: 'image_url'"],
    [
      'a picture by a tool',
      talk(hello, calls(call('a')), answer('a', [{ type: 'image_url' }])),
      "Invalid value: 'image_url'",
    ],
    ['a picture of another kind', talk(picture('data:image/svg+xml;base64,aGVsbG8=')), 'unsupported image'],
    ['a picture that is not base64', talk(picture('data:image/png;base64,?')), 'Expected a base64-encoded data URL'],
    [
      'a field of a message nobody knows',
      talk(hello, { ...says('hi'), reasoning_content: 'hm' }, hello),
      "Unknown parameter: 'messages[1].reasoning_content'",
    ],

    [
      'an empty list of calls',
      talk(hello, { ...says('hi'), tool_calls: [] }, hello),
      "Invalid 'messages[1].tool_calls': empty array",
    ],
    [
      'a call of another type',
      talk(hello, calls({ ...call('a'), type: 'tool' }), answer('a')),
      "Supported values are: 'function'",
    ],
    ['a call nobody answers', talk(hello, calls(call('a')), hello), 'did not have response messages: a'],
    [
      'one call of two unanswered',
      talk(hello, calls(call('a'), call('b')), answer('a'), hello),
      'did not have response messages: b',
    ],
    ['an answer nobody asked for', talk(hello, answer('a')), 'must be a response to a preceeding message'],
    [
      'an answer to an earlier call',
      talk(hello, calls(call('a')), answer('a'), says('x'), answer('a')),
      'must be a response',
    ],
    [
      'two answers to a call',
      talk(hello, calls(call('a')), answer('a'), answer('a')),
      "Duplicate value for 'tool_call_id' of a in message[3]",
    ],
    [
      'an id used twice at once',
      talk(hello, calls(call('a'), call('a')), answer('a')),
      "Duplicate value for 'tool_call_id' of a in message[1]",
    ],
    ['an id too long', talk(hello, calls(call('a'.repeat(41))), answer('a'.repeat(41))), 'maximum length 40'],
    [
      'a call without an id',
      talk(hello, calls(call('')), answer('')),
      "Missing required parameter: 'messages[1].tool_calls[0].id'",
    ],
    [
      'a strange name',
      talk(hello, calls(call('a', '{}', 'do it')), answer('a')),
      "function.name': string does not match",
    ],
    [
      'arguments that do not parse',
      talk(hello, calls(call('a', '{"x":')), answer('a')),
      'expected a JSON object as a string',
    ],
    [
      'arguments that are a list',
      talk(hello, calls(call('a', '[]')), answer('a')),
      'expected a JSON object as a string',
    ],
    ['calls of the user', talk({ ...hello, tool_calls: [call('a')] }), "Unknown parameter: 'messages[0].tool_calls'"],
  ])('%s', (_, request, sentence) => {
    const faults = faultsOf(request)
    expect(faults).not.toEqual([])
    for (const fault of faults) expect(fault).toContain(sentence)
  })

  test('a user message between a call and its answer: the call is unanswered, the answer an orphan', () => {
    expect(faultsOf(talk(hello, calls(call('a')), hello, answer('a')))).toEqual([
      expect.stringContaining('did not have response messages: a'),
      expect.stringContaining('must be a response'),
    ])
  })
})
