import { describe, expect, test } from 'vitest'
import { encryptedOf } from '../issued.ts'
import { createSent } from '../sent.ts'
import type { Dict } from '../values.ts'
import { checkResponses } from './responses.ts'

const MODEL = 'gpt-5.4'
const tool = (name: string, more: Dict = {}): Dict => ({
  type: 'function',
  name,
  description: 'looks',
  parameters: { type: 'object', properties: {} },
  ...more,
})
const user = (...texts: string[]): Dict => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'input_text', text })),
})
const says = (content: unknown): Dict => ({ role: 'assistant', content })
const call = (id: string, more: Dict = {}): Dict => ({
  type: 'function_call',
  call_id: id,
  name: 'look',
  arguments: '{}',
  ...more,
})
const output = (id: string, what: unknown = 'seen'): Dict => ({
  type: 'function_call_output',
  call_id: id,
  output: what,
})
const thought = (id: string, more: Dict = {}): Dict => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: encryptedOf(MODEL, id),
  ...more,
})
const picture = (url: string): Dict => ({ role: 'user', content: [{ type: 'input_image', image_url: url }] })
const hello = user('hello')

const body = (more: Dict = {}): Dict => ({
  model: MODEL,
  stream: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'low' },
  tools: [tool('look')],
  tool_choice: 'auto',
  input: [{ role: 'developer', content: 'be kind' }, hello],
  ...more,
})
const talk = (...input: Dict[]): Dict => body({ input })
const plain = { model: 'gpt-4.1', include: undefined, reasoning: undefined }
const faultsOf = (request: Dict): string[] =>
  checkResponses(request, { sent: createSent() }).map(({ message }) => message)

describe('the Responses API takes', () => {
  test.each<[string, Dict]>([
    ['a question', body()],
    ['a model that does not think', body({ ...plain, temperature: 0.7 })],
    ['an answer as text or as parts', talk(hello, says('hi'), says([{ type: 'output_text', text: 'hi' }]), hello)],
    ['a call and its output', talk(hello, call('a'), output('a'))],
    ['calls and outputs in another order', talk(hello, call('a'), call('b'), output('b'), output('a'))],
    ['an output in parts', talk(hello, call('a'), output('a', [{ type: 'input_text', text: 'seen' }]))],
    ['an empty output', talk(hello, call('a'), output('a', ''))],
    ['reasoning before an answer', talk(hello, thought('r'), says('hi'), hello)],
    ['reasoning before a call', talk(hello, thought('r'), call('a'), output('a'))],
    ['a picture', talk(picture('data:image/jpeg;base64,aGVsbG8='))],
    ['the choice of a tool', body({ tool_choice: { type: 'function', name: 'look' } })],
  ])('%s', (_, request) => {
    expect(faultsOf(request)).toEqual([])
  })
})

describe('the Responses API refuses', () => {
  test.each<[string, Dict, string]>([
    ['a field nobody knows', body({ top_k: 3 }), "Unknown parameter: 'top_k'."],
    ['no model', body({ ...plain, model: undefined }), "Missing required parameter: 'model'"],
    ['no input', body({ input: undefined }), "Missing required parameter: 'input'"],
    ['an empty input', talk(), "Invalid 'input': empty array"],
    ['a temperature in a model that thinks', body({ temperature: 0.7 }), "Unsupported parameter: 'temperature'"],
    [
      'effort in a model that does not think',
      body({ ...plain, reasoning: { effort: 'low' } }),
      "Unsupported parameter: 'reasoning'",
    ],
    [
      'encrypted thoughts of a model that has none',
      body({ ...plain, include: ['reasoning.encrypted_content'] }),
      'Encrypted content is not supported',
    ],
    [
      'a response it never stored',
      body({ previous_response_id: 'resp_1' }),
      "Previous response with id 'resp_1' not found",
    ],

    ['a tool choice without tools', body({ tools: undefined }), "must be specified with 'tools'"],
    [
      'the choice of a tool that is not there',
      body({ tool_choice: { type: 'function', name: 'hear' } }),
      "Tool choice 'hear' not found",
    ],
    ['a tool of another type', body({ tools: [tool('look', { type: 'tool' })] }), "Invalid value for 'tools[0].type'"],
    ['two tools of one name', body({ tools: [tool('look'), tool('look')] }), 'Tool names must be unique.'],
    [
      'a tool with a strange name',
      body({ tools: [tool('look up')] }),
      "Invalid 'tools[0].name': string does not match",
    ],
    [
      'a schema without properties',
      body({ tools: [tool('look', { parameters: { type: 'object' } })] }),
      'object schema missing properties',
    ],

    ['an item nobody knows', talk(hello, { type: 'note' }), "Invalid value: 'note'"],
    [
      'a reference to what it never stored',
      talk(hello, { type: 'item_reference', id: 'msg_1' }, hello),
      "Item with id 'msg_1' not found",
    ],
    ['a role of its own', talk(hello, { role: 'model', content: 'x' }), "Invalid value: 'model'"],
    ['an assistant message last', talk(hello, says('hi')), 'must not be from the assistant'],
    ['an empty text', talk(user('')), "Invalid 'input[0].content[0].text'"],
    ['an empty answer', talk(hello, says(''), hello), "Invalid 'input[1].content'"],
    ['no parts', talk(user()), 'empty array'],
    [
      'input as the answer of the assistant',
      talk(hello, says([{ type: 'input_text', text: 'x' }]), hello),
      "Supported values are: 'output_text'",
    ],
    ['a picture of another kind', talk(picture('data:image/bmp;base64,aGVsbG8=')), 'unsupported image'],
    [
      'a field of an item nobody knows',
      talk(hello, call('a', { effect: 'pure' }), output('a')),
      "Unknown parameter: 'input[1].effect'",
    ],

    ['a call nobody answers', talk(hello, call('a'), hello), 'No tool output found for function call a.'],
    [
      'an output nobody asked for',
      talk(hello, output('a')),
      'No tool call found for function call output with call_id a.',
    ],
    ['two outputs of a call', talk(hello, call('a'), output('a'), output('a')), 'Duplicate function call output'],
    ['a call_id used twice', talk(hello, call('a'), output('a'), call('a')), 'Duplicate function call with call_id a'],
    ['a call_id too long', talk(hello, call('a'.repeat(65)), output('a'.repeat(65))), 'maximum length 64'],
    ['a call without its id', talk(hello, call(''), output('')), 'Missing required parameter'],
    [
      'a strange name',
      talk(hello, call('a', { name: 'do it' }), output('a')),
      "Invalid 'input[1].name': string does not match",
    ],
    [
      'arguments that do not parse',
      talk(hello, call('a', { arguments: '{"x":' }), output('a')),
      "Invalid 'input[1].arguments'",
    ],
    [
      'no output in an output',
      talk(hello, call('a'), output('a', null)),
      "Missing required parameter: 'input[2].output'",
    ],

    [
      'reasoning that leads to nothing',
      talk(hello, thought('r'), hello),
      "Item 'r' of type 'reasoning' was provided without its required following item.",
    ],
    [
      'reasoning without its content',
      talk(hello, thought('r', { encrypted_content: undefined }), says('hi'), hello),
      "Item with id 'r' not found",
    ],
    [
      'reasoning of another item',
      talk(hello, thought('r', { id: 'q' }), says('hi'), hello),
      'The encrypted content for item q could not be verified',
    ],
    [
      'reasoning of another model',
      talk(hello, thought('r', { encrypted_content: encryptedOf('gpt-5', 'r') }), says('hi'), hello),
      'could not be verified',
    ],
    ['reasoning without a summary', talk(hello, thought('r', { summary: undefined }), says('hi'), hello), 'summary'],
    [
      'a schema of the answer without a name',
      body({ text: { format: { type: 'json_schema', schema: { type: 'object' } } } }),
      "Missing required parameter: 'text.format.name'",
    ],
    ['an answer that is too short', body({ max_output_tokens: 15 }), 'integer below minimum value'],
    [
      'the same reasoning twice',
      talk(hello, thought('r'), says('a'), thought('r'), says('b'), hello),
      'Duplicate item found with id r',
    ],
  ])('%s', (_, request, sentence) => {
    const faults = faultsOf(request)
    expect(faults).not.toEqual([])
    for (const fault of faults) expect(fault).toContain(sentence)
  })
})
