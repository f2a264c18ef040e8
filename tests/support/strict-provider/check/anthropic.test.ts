import { describe, expect, test } from 'vitest'
import { signatureOf } from '../issued.ts'
import { createSent } from '../sent.ts'
import type { Dict } from '../values.ts'
import { checkAnthropic } from './anthropic.ts'

const MODEL = 'claude-sonnet-5-5'
const OLDER = 'claude-haiku-4-5'

const tool = (name: string, more: Dict = {}): Dict => ({
  name,
  description: 'looks',
  input_schema: { type: 'object', properties: { at: { type: 'string' } } },
  ...more,
})
const text = (words: string, more: Dict = {}): Dict => ({ type: 'text', text: words, ...more })
const use = (id: string, more: Dict = {}): Dict => ({ type: 'tool_use', id, name: 'look', input: {}, ...more })
const result = (id: string, more: Dict = {}): Dict => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'seen',
  ...more,
})
const thought = (words: string, model = MODEL): Dict => ({
  type: 'thinking',
  thinking: words,
  signature: signatureOf(model, words),
})
const image = (type: string, data = 'aGVsbG8='): Dict => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
})
const user = (...content: Dict[]): Dict => ({ role: 'user', content })
const assistant = (...content: Dict[]): Dict => ({ role: 'assistant', content })
const hello = user(text('hello'))
const CACHE = { cache_control: { type: 'ephemeral' } }

const body = (more: Dict = {}): Dict => ({
  model: MODEL,
  max_tokens: 1000,
  stream: true,
  system: [{ type: 'text', text: 'be kind' }],
  tools: [tool('look')],
  tool_choice: { type: 'auto' },
  messages: [hello],
  ...more,
})
const talk = (...messages: Dict[]): Dict => body({ messages })
const without = (field: string): Dict => Object.fromEntries(Object.entries(body()).filter(([name]) => name !== field))

const sent = createSent()
Object.assign(sent.open(), { text: 'let me see', calls: ['look'], reasoning: 'a thought' })
const faultsOf = (request: Dict): string[] => checkAnthropic(request, { sent }).map(({ message }) => message)

describe('the Messages API takes', () => {
  test.each<[string, Dict]>([
    ['a question', body()],
    ['a text as content', talk({ role: 'user', content: 'hello' })],
    ['a system prompt as text', body({ system: 'be kind' })],
    ['neighbours of one role, which it joins', talk(hello, hello, assistant(text('a')), assistant(text('b')), hello)],
    ['a use and its result', talk(hello, assistant(text('so'), use('a')), user(result('a')))],
    ['results in another order', talk(hello, assistant(use('a'), use('b')), user(result('b'), result('a')))],
    [
      'results in neighbouring messages',
      talk(hello, assistant(use('a'), use('b')), user(result('a')), user(result('b'))),
    ],
    ['a text after the results', talk(hello, assistant(use('a')), user(result('a'), text('go on')))],
    ['a result without content', talk(hello, assistant(use('a')), user(result('a', { content: '' })))],
    ['a result with a picture', talk(hello, assistant(use('a')), user(result('a', { content: [image('image/png')] })))],
    ['a picture', talk(user(text('look'), image('image/webp')))],
    ['signed thinking', talk(hello, assistant(thought('hm'), text('hi')), hello)],
    [
      'the thinking it sent, in the loop it belongs to',
      talk(hello, assistant(thought('a thought'), text('let me see'), use('a')), user(result('a'))),
    ],
    [
      'a turn of the past without its thinking',
      talk(hello, assistant(text('let me see'), use('a')), user(result('a'), text('and?'))),
    ],
    [
      'a turn it did not send, without thinking',
      talk(hello, assistant(text('of another'), use('a')), user(result('a'))),
    ],
    ['a system message right after the user', talk(hello, { role: 'system', content: 'be brief' })],
    [
      'four marks for the cache',
      body({
        tools: [tool('look', CACHE)],
        system: [text('a', CACHE), text('b', CACHE)],
        messages: [user(text('c', CACHE))],
      }),
    ],
    ['adaptive thinking', body({ thinking: { type: 'adaptive' } })],
    [
      'a budget for thinking in a model that knows it',
      body({ model: OLDER, max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 2000 } }),
    ],
    ['a temperature in a model that knows it', body({ model: OLDER, temperature: 0.7 })],
  ])('%s', (_, request) => {
    expect(faultsOf(request)).toEqual([])
  })
})

describe('the Messages API refuses', () => {
  test.each<[string, Dict, string]>([
    ['a field nobody knows', body({ top_n: 3 }), 'top_n: Extra inputs are not permitted'],
    ['no model', without('model'), 'model: Field required'],
    ['no max_tokens', without('max_tokens'), 'max_tokens: Field required'],
    ['a max_tokens that is no number', body({ max_tokens: '5' }), 'max_tokens: Input should be a valid integer'],
    ['a max_tokens of nothing', body({ max_tokens: 0 }), 'max_tokens: Input should be greater'],
    ['more tokens than the model has', body({ model: OLDER, max_tokens: 64_001 }), 'max_tokens: 64001 > 64000'],
    ['a temperature where there is none', body({ temperature: 0.7 }), '`temperature` is deprecated'],
    ['a temperature too high', body({ model: OLDER, temperature: 1.2 }), 'temperature: range: 0..1'],
    [
      'a temperature beside thinking',
      body({ model: OLDER, max_tokens: 5000, temperature: 0.7, thinking: { type: 'enabled', budget_tokens: 2000 } }),
      '`temperature` may only be set to 1',
    ],
    [
      'a top_k beside thinking',
      body({ model: OLDER, max_tokens: 5000, top_k: 3, thinking: { type: 'enabled', budget_tokens: 2000 } }),
      '`top_k` must be unset',
    ],
    ['a temperature beside a top_p', body({ model: OLDER, temperature: 0.7, top_p: 0.7 }), 'cannot both be specified'],
    ['an empty system text', body({ system: [text('')] }), 'system: text content blocks must be non-empty'],
    ['a blank system text', body({ system: ' ' }), 'system: text content blocks must contain non-whitespace'],
    ['a picture as system', body({ system: [image('image/png')] }), "system.0.type: Input should be 'text'"],

    ['a tool with a strange name', body({ tools: [tool('look up')] }), 'tools.0.custom.name: String should match'],
    [
      'a tool with a name too long',
      body({ tools: [tool('a'.repeat(129))] }),
      'tools.0.custom.name: String should match',
    ],
    ['two tools of one name', body({ tools: [tool('look'), tool('look')] }), 'tools: Tool names must be unique.'],
    [
      'a tool without a schema',
      body({ tools: [tool('look', { input_schema: undefined })] }),
      'input_schema: Field required',
    ],
    [
      'a schema that is no object',
      body({ tools: [tool('look', { input_schema: { type: 'string' } })] }),
      "input_schema.type: Input should be 'object'",
    ],
    [
      'a choice of schemas at the top',
      body({ tools: [tool('look', { input_schema: { type: 'object', anyOf: [{}] } })] }),
      'does not support oneOf, allOf, or anyOf at the top',
    ],
    [
      'what is no schema',
      body({ tools: [tool('look', { input_schema: { type: 'object', properties: { a: { type: 'text' } } } })] }),
      'JSON schema is invalid',
    ],
    [
      'a field of a tool nobody knows',
      body({ tools: [tool('look', { effect: 'pure' })] }),
      'tools.0.custom.effect: Extra inputs',
    ],
    ['a tool choice without tools', body({ tools: undefined }), '`tool_choice` may only be specified while providing'],
    ['a tool choice nobody knows', body({ tool_choice: { type: 'some' } }), 'tool_choice.type'],
    [
      'the choice of a tool that is not there',
      body({ tool_choice: { type: 'tool', name: 'hear' } }),
      "Tool 'hear' not found",
    ],
    [
      'a forced tool beside a budget for thinking',
      body({
        model: OLDER,
        max_tokens: 5000,
        thinking: { type: 'enabled', budget_tokens: 2000 },
        tool_choice: { type: 'any' },
      }),
      'tool_choice forces tool use',
    ],
    [
      'uses without tools',
      { ...talk(hello, assistant(use('a')), user(result('a'))), tools: undefined, tool_choice: undefined },
      'blocks must define tools',
    ],

    ['no message', talk(), 'messages: at least one message is required'],
    ['an assistant message first', talk(assistant(text('hi')), hello), 'first message must use the "user" role'],
    ['an assistant message last', talk(hello, assistant(text('hi'))), 'does not support assistant message prefill'],
    ['a role of its own', talk(hello, { role: 'tool', content: 'x' }, hello), 'Unexpected role "tool"'],
    [
      'a system message in a model that knows none',
      { ...talk(hello, { role: 'system', content: 'x' }), model: OLDER },
      "role 'system' is not supported on this model",
    ],
    [
      'a system message after the assistant',
      talk(hello, assistant(text('a')), { role: 'system', content: 'x' }, hello),
      "'system' must directly follow",
    ],
    ['empty content', talk(hello, assistant(), hello), 'messages.1: all messages must have non-empty content'],
    ['content that is missing', talk(hello, { role: 'assistant' }, hello), 'messages.1.content: Field required'],
    ['an empty text', talk(user(text(''))), 'messages: text content blocks must be non-empty'],
    [
      'a blank text',
      talk(hello, assistant(text('\n')), hello),
      'messages: text content blocks must contain non-whitespace',
    ],
    [
      'a use nobody answers',
      talk(hello, assistant(use('a')), hello),
      '`tool_use` ids were found without `tool_result` blocks immediately after: a',
    ],
    [
      'one use of two unanswered',
      talk(hello, assistant(use('a'), use('b')), user(result('a'))),
      'immediately after: b',
    ],
    ['a text before a result', talk(hello, assistant(use('a')), user(text('so'), result('a'))), 'immediately after: a'],
    [
      'a result nobody asked for',
      talk(user(result('a'), text('hi'))),
      'unexpected `tool_use_id` found in `tool_result` blocks: a',
    ],
    [
      'a result of an earlier exchange',
      talk(hello, assistant(use('a')), user(result('a')), assistant(text('x')), user(result('a'))),
      'messages.4.content.0: unexpected',
    ],
    [
      'two results of one use',
      talk(hello, assistant(use('a')), user(result('a'), result('a'))),
      'each tool_use must have a single result',
    ],
    [
      'an id used twice',
      talk(hello, assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))),
      '`tool_use` ids must be unique',
    ],
    [
      'a strange id',
      talk(hello, assistant(use('a.b')), user(result('a.b'))),
      'messages.1.content.0.tool_use.id: String should match',
    ],
    [
      'a strange name',
      talk(hello, assistant(use('a', { name: 'do it' })), user(result('a'))),
      'tool_use.name: String should match',
    ],
    [
      'an input that is text',
      talk(hello, assistant(use('a', { input: '{}' })), user(result('a'))),
      'tool_use.input: Input should be a valid dictionary',
    ],
    ['a use by the user', talk(user(use('a'))), '`tool_use` blocks can only be in `assistant`'],
    [
      'a result by the assistant',
      talk(hello, assistant(result('a')), hello),
      '`tool_result` blocks can only be in `user`',
    ],
    ['a picture by the assistant', talk(hello, assistant(image('image/png')), hello), 'not permitted in `assistant`'],
    ['a block nobody knows', talk(user({ type: 'video' })), "Input tag 'video'"],
    [
      'a field of a block nobody knows',
      talk(user(text('hi', { lang: 'en' }))),
      'messages.0.content.0.text.lang: Extra inputs',
    ],
    [
      'an error without content',
      talk(hello, assistant(use('a')), user(result('a', { content: '', is_error: true }))),
      'content cannot be empty if `is_error` is true',
    ],
    [
      'a result with an empty text in it',
      talk(hello, assistant(use('a')), user(result('a', { content: [text('')] }))),
      'text content blocks must be non-empty',
    ],
    ['a picture of another kind', talk(user(image('image/svg+xml'))), 'base64.media_type: Input should be'],
    ['a picture that is not base64', talk(user(image('image/png', 'not base64'))), 'invalid base64 data'],

    [
      'thinking without a signature',
      talk(hello, assistant({ type: 'thinking', thinking: 'hm' }, text('hi')), hello),
      'thinking.signature: Field required',
    ],
    [
      'a signature of another model',
      talk(hello, assistant(thought('hm', OLDER), text('hi')), hello),
      'Invalid `signature` in `thinking` block',
    ],
    [
      'a signature of another text',
      talk(hello, assistant({ ...thought('hm'), thinking: 'hmm' }, text('hi')), hello),
      'Invalid `signature`',
    ],
    [
      'thinking without a thought',
      talk(hello, assistant(thought(''), text('hi')), hello),
      'each thinking block must contain thinking',
    ],
    ['thinking by the user', talk(user(thought('hm'), text('hi'))), '`thinking` blocks can only be in `assistant`'],
    [
      'a turn of this loop without the thinking it began with',
      talk(hello, assistant(text('let me see'), use('a')), user(result('a'))),
      'cannot be modified',
    ],
    [
      'another thought in its place',
      talk(hello, assistant(thought('hm'), text('let me see'), use('a')), user(result('a'))),
      'cannot be modified',
    ],
    [
      'a turn that does not begin with thinking, under a budget',
      {
        ...talk(hello, assistant(text('of another'), use('a')), user(result('a'))),
        model: OLDER,
        max_tokens: 5000,
        thinking: { type: 'enabled', budget_tokens: 2000 },
      },
      'Expected `thinking` or `redacted_thinking`, but found `text`',
    ],
    [
      'a budget above max_tokens',
      body({ model: OLDER, thinking: { type: 'enabled', budget_tokens: 2000 } }),
      '`max_tokens` must be greater',
    ],
    [
      'a budget too small',
      body({ model: OLDER, thinking: { type: 'enabled', budget_tokens: 100 } }),
      'greater than or equal to 1024',
    ],
    ['no budget', body({ model: OLDER, thinking: { type: 'enabled' } }), 'budget_tokens: Field required'],
    [
      'a budget in a model that has none',
      body({ thinking: { type: 'enabled', budget_tokens: 2000 } }),
      '"thinking.type.enabled" is not supported',
    ],
    [
      'adaptive thinking in a model that has none',
      body({ model: OLDER, thinking: { type: 'adaptive' } }),
      'adaptive thinking is not supported',
    ],
    [
      'no thinking in a model that always thinks',
      body({ thinking: { type: 'disabled' } }),
      '"thinking.type.disabled" is not supported',
    ],
    [
      'a tool that must be called by a model that always thinks',
      body({ tools: [tool('look')], tool_choice: { type: 'any' } }),
      'Thinking may not be enabled when tool_choice forces tool use.',
    ],
    [
      'a schema of the answer that is open',
      body({ output_config: { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } } }),
      "'additionalProperties' must be explicitly set to false",
    ],
    ['thinking of a kind nobody knows', body({ thinking: { type: 'deep' } }), 'thinking: Input tag'],

    [
      'five marks for the cache',
      body({
        tools: [tool('look', CACHE)],
        system: [text('a', CACHE), text('b', CACHE)],
        messages: [user(text('c', CACHE), text('d', CACHE))],
      }),
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    [
      'a mark of another kind',
      body({ system: [text('a', { cache_control: { type: 'lasting' } })] }),
      'cache_control.type',
    ],
    [
      'a mark on thinking',
      talk(hello, assistant({ ...thought('hm'), ...CACHE }, text('hi')), hello),
      'thinking.cache_control: Extra inputs',
    ],
  ])('%s', (_, request, sentence) => {
    expect(faultsOf(request)).toEqual([expect.stringContaining(sentence)])
  })

  test('a mark on an empty text, for two reasons', () => {
    expect(faultsOf(talk(user(text('', CACHE))))).toContain('cache_control cannot be set for empty text blocks')
  })
})
