import { describe, expect, test } from 'vitest'
import { anthropicFault, type AnthropicBlock, type AnthropicMessage } from './anthropic.ts'

const text = (words: string): AnthropicBlock => ({ type: 'text', text: words })
const use = (id: string, more: object = {}): AnthropicBlock => ({
  type: 'tool_use',
  id,
  name: 'look',
  input: {},
  ...more,
})
const result = (id: string): AnthropicBlock => ({ type: 'tool_result', tool_use_id: id, content: 'seen' })
const user = (...content: AnthropicBlock[]): AnthropicMessage => ({ role: 'user', content })
const assistant = (...content: AnthropicBlock[]): AnthropicMessage => ({ role: 'assistant', content })
const hello = user(text('hello'))

describe('the Anthropic acceptor takes', () => {
  test.each<[string, AnthropicMessage[]]>([
    ['one user message', [hello]],
    ['content given as text', [{ role: 'user', content: 'hello' }]],
    ['an answer and a further question', [hello, assistant(text('hi')), user(text('and?'))]],
    ['a use and its result', [hello, assistant(text('let me see'), use('a')), user(result('a'))]],
    ['several uses answered in any order', [hello, assistant(use('a'), use('b')), user(result('b'), result('a'))]],
    ['a text after the results', [hello, assistant(use('a')), user(result('a'), text('go on'))]],
    ['a result without text', [hello, assistant(use('a')), user({ ...result('a'), content: '' })]],
    ['signed thinking', [hello, assistant({ type: 'thinking', thinking: '…', signature: 's' }, text('hi')), hello]],
    [
      'two exchanges with uses',
      [hello, assistant(use('a')), user(result('a')), assistant(use('b')), user(result('b'))],
    ],
  ])('%s', (_, messages) => {
    expect(anthropicFault(messages)).toBeUndefined()
  })
})

describe('the Anthropic acceptor refuses', () => {
  test.each<[string, AnthropicMessage[], string]>([
    ['nothing at all', [], 'at least one message'],
    ['an assistant message first', [assistant(text('hi')), hello], 'first message must be from the user'],
    ['two user messages in a row', [hello, hello], 'roles must alternate'],
    ['two assistant messages in a row', [hello, assistant(text('a')), assistant(text('b')), hello], 'must alternate'],
    ['a role of its own', [hello, { role: 'tool', content: 'x' }], 'does not exist'],
    ['empty content', [hello, assistant(), hello], 'content must not be empty'],
    ['empty content given as text', [{ role: 'user', content: '' }], 'content must not be empty'],
    ['an empty text', [user(text(''))], 'non-whitespace'],
    ['a text of white space', [hello, assistant(text(' \n\t')), hello], 'non-whitespace'],
    ['white space given as text', [{ role: 'user', content: '  ' }], 'non-whitespace'],
    ['a use without a result', [hello, assistant(use('a')), hello], 'tool_use without a tool_result right after: a'],
    ['one of two uses unanswered', [hello, assistant(use('a'), use('b')), user(result('a'))], 'right after: b'],
    [
      'a result that comes one message late',
      [hello, assistant(use('a')), hello, assistant(text('x')), user(result('a'))],
      'messages.2: tool_use without a tool_result',
    ],
    ['a result nobody asked for', [user(result('a'))], 'without its tool_use'],
    [
      'a result of an earlier exchange',
      [hello, assistant(use('a')), user(result('a')), assistant(text('x')), user(result('a'))],
      'messages.4: tool_result without its tool_use',
    ],
    ['two results for one use', [hello, assistant(use('a')), user(result('a'), result('a'))], 'several tool_result'],
    ['a text before a result', [hello, assistant(use('a')), user(text('so'), result('a'))], 'must come first'],
    ['an id used twice in a message', [hello, assistant(use('a'), use('a')), user(result('a'))], 'must be unique'],
    [
      'an id used twice in the conversation',
      [hello, assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))],
      'must be unique',
    ],
    ['a strange id', [hello, assistant(use('a.b')), user(result('a.b'))], 'id of a tool_use'],
    ['a strange name', [hello, assistant(use('a', { name: 'do it' })), user(result('a'))], 'name of a tool_use'],
    ['an input that is text', [hello, assistant(use('a', { input: '{}' })), user(result('a'))], 'must be an object'],
    ['an input that is a list', [hello, assistant(use('a', { input: [] })), user(result('a'))], 'must be an object'],
    ['an input that is null', [hello, assistant(use('a', { input: null })), user(result('a'))], 'must be an object'],
    ['a use by the user', [user(use('a'))], 'cannot hold tool_use'],
    ['a result by the assistant', [hello, assistant(result('a')), hello], 'cannot hold tool_result'],
    ['unsigned thinking', [hello, assistant({ type: 'thinking', thinking: '…' }, text('hi')), hello], 'signature'],
    ['an assistant message last', [hello, assistant(text('hi'))], 'must end with a user message'],
  ])('%s', (_, messages, fault) => {
    expect(anthropicFault(messages)).toContain(fault)
  })
})
