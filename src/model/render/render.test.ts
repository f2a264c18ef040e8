import { describe, expect, test } from 'vitest'
import type { JsonObject, Message } from '../../contract/message.ts'
import type { Prompt } from '../../contract/prompt.ts'
import { verifies } from '../../../tests/support/verifies.ts'
import type { ModelEntry } from '../model.ts'
import { render, type ModelRequest } from './render.ts'

const user = (...texts: string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
  eventIds: [],
})
const result = (id: string, content = 'seen'): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content, is_error: false }],
  eventIds: [],
})
const thought = (text: string, of: string, data?: JsonObject) =>
  ({ type: 'reasoning', text, meta: { of, ...(data && { data }) } }) as const
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} }) as const
const assistant = (...content: Extract<Message, { role: 'assistant' }>['content']): Message => ({
  role: 'assistant',
  content,
  eventIds: [],
})

const LAYERS = ['core', 'system', 'result', 'guardrail'].map((name) => ({ name, text: `the ${name}`, hash: name }))
const look = { name: 'look', description: 'looks', jsonSchema: { type: 'object' } } as const

function rendered(
  provider: string,
  messages: readonly Message[],
  more: Partial<ModelRequest> = {},
  entry: Partial<ModelEntry> = {},
) {
  const prompt: Prompt = { layers: LAYERS, messages }
  const request = {
    prompt,
    tools: [look],
    mayUseTools: true,
    sessionId: 's',
    requestId: 'r',
    files: new Map(),
    ...more,
  }
  const model = { key: 'k', provider, modelId: 'm', window: 1000, maxOutput: 100, temperature: 0.7, ...entry }
  return render(request, model, 1, new AbortController().signal)
}

const rolesOf = (provider: string, messages: readonly Message[]) =>
  rendered(provider, messages).prompt.map(({ role }) => role)

describe('system layers', () => {
  test('are one message each where a provider takes several, and one for all where it may not', () => {
    expect(rolesOf('anthropic', [user('hi')])).toEqual(['system', 'system', 'system', 'system', 'user'])
    expect(rolesOf('ollama', [user('hi')])).toEqual(['system', 'user'])
    expect(rendered('openai-compatible', [user('hi')]).prompt[0]?.content).toBe(
      'the core\n\nthe system\n\nthe result\n\nthe guardrail',
    )
  })

  test('are marked for the cache before the first one that changes, and so is the end of the conversation', () => {
    const { prompt } = rendered('anthropic', [user('hi'), assistant(use('a')), result('a')])
    expect(prompt.map(({ providerOptions }) => providerOptions !== undefined)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      true,
    ])
  })
})

describe('thoughts', () => {
  const asked = (meta: string): Message[] => [
    user('hi'),
    assistant(thought('old', meta, { p: { signature: 'old' } }), { type: 'text', text: 'hello' }),
    user('look'),
    assistant(thought('', meta, { p: { signature: 'new' } }), use('a')),
    result('a'),
  ]
  const thoughtsOf = (provider: string, messages: readonly Message[]) =>
    rendered(provider, messages).prompt.flatMap(({ role, content }) =>
      role === 'assistant' ? content.filter((part) => part.type === 'reasoning') : [],
    )

  verifies(
    'LIN-5',
    'go back with their signatures to the model that had them, as long as it works on its answer',
    () => {
      expect(thoughtsOf('anthropic', asked('anthropic:m'))).toEqual([
        { type: 'reasoning', text: '', providerOptions: { p: { signature: 'new' } } },
      ])
    },
  )

  verifies('LIN-5', 'all go back where a provider wants them all', () => {
    expect(thoughtsOf('deepseek', asked('deepseek:m')).map((part) => part.type === 'reasoning' && part.text)).toEqual([
      'old',
      '',
    ])
  })

  verifies('LIN-5', 'go to no other model, and its calls stay', () => {
    expect(thoughtsOf('openai', asked('anthropic:m'))).toEqual([])
    expect(thoughtsOf('anthropic', asked('anthropic:other'))).toEqual([])
    expect(rolesOf('google', asked('openai:m')).slice(4)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool'])
  })

  test('are not asked for while a call is open that another model made', () => {
    const effort = { effort: 'high' } as const
    expect(rendered('anthropic', asked('anthropic:m'), {}, effort).reasoning).toBe('high')
    expect(rendered('anthropic', asked('openai:m'), {}, effort).reasoning).toBeUndefined()
    expect(rendered('anthropic', [user('hi')], {}, effort).reasoning).toBe('high')
  })

  test('are asked for as much as was set, also of a model that shows none', () => {
    const silent = [user('hi'), assistant(use('a')), result('a')]
    expect(rendered('openai-chat', silent, {}, { effort: 'low' }).reasoning).toBe('low')
  })

  test('are shown where that can be asked for, and may go where they are bound to a prompt that changed', () => {
    const options = (provider: string, modelId: string, effort?: 'none') =>
      rendered(provider, [user('hi')], {}, { modelId, ...(effort && { effort }) }).providerOptions?.[provider]
    expect(options('anthropic', 'claude-sonnet-5-5')).toEqual({
      thinking: {
        type: 'adaptive',
        display: 'summarized',
        blockBinding: { prefixMismatchBehavior: 'drop_block' },
      },
    })
    expect(options('anthropic', 'claude-sonnet-5')).toEqual({ thinking: { type: 'adaptive', display: 'summarized' } })
    expect(options('anthropic', 'claude-sonnet-5-5', 'none')).toBeUndefined()
    expect(options('anthropic', 'claude-haiku-4-5')).toBeUndefined()
    expect(options('google', 'gemini-3.8-flash')).toEqual({ thinkingConfig: { includeThoughts: true } })
  })
})

describe('files', () => {
  const png = { type: 'file', mediaType: 'image/png', name: 'a.png', hash: 'p', bytes: 3 } as const
  const note = { type: 'file', mediaType: 'text/plain', hash: 't', bytes: 5 } as const
  const files = new Map([
    ['p', new Uint8Array([1, 2, 3])],
    ['t', new TextEncoder().encode('hello')],
  ])
  const sent = (provider: string, messages: Message[], given = files) =>
    rendered(provider, messages, { files: given }).prompt.filter(({ role }) => role !== 'system')
  const withFile: Message = { role: 'user', content: [{ type: 'text', text: 'see' }, png, note], eventIds: [] }

  test('are sent as they are, and text as text', () => {
    expect(sent('anthropic', [withFile])[0]?.content).toEqual([
      { type: 'text', text: 'see' },
      { type: 'file', mediaType: 'image/png', filename: 'a.png', data: { type: 'data', data: files.get('p') } },
      {
        type: 'text',
        text: expect.stringMatching(/^<untrusted-data \w+>\nhello\n<[^]*is a file \(text\/plain, 5 bytes\)/) as string,
      },
    ])
  })

  test('are named to a model that cannot see them, and when they are gone', () => {
    expect(sent('deepseek', [withFile])[0]?.content).toContainEqual({
      type: 'text',
      text: expect.stringContaining('["a.png" (image/png, 3 bytes) cannot be shown to this model]') as string,
    })
    expect(sent('anthropic', [withFile], new Map())[0]?.content).toContainEqual({
      type: 'text',
      text: '["a.png" (image/png, 3 bytes) is not shown any more]',
    })
  })

  test('go only to models that take their kind, as far as anybody knows', () => {
    const gif: Message = { role: 'user', content: [{ ...png, mediaType: 'image/gif' }], eventIds: [] }
    const kind = (provider: string, entry: Partial<ModelEntry> = {}) =>
      rendered(provider, [gif], { files }, entry).prompt.at(-1)?.content
    expect(kind('anthropic')).toMatchObject([{ type: 'file' }])
    expect(kind('google')).toMatchObject([{ type: 'text' }])
    expect(kind('ollama')).toMatchObject([{ type: 'file' }])
    expect(kind('ollama', { files: 'none' })).toMatchObject([{ type: 'text' }])
  })

  test('of a result stand in it, or behind it where it can hold words only', () => {
    const made: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: 'drawn', is_error: false, files: [png] }],
      eventIds: [],
    }
    const conversation = [user('draw'), assistant(use('a')), made]
    expect(sent('anthropic', conversation).at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'content', value: [{ text: 'drawn' }, { mediaType: 'image/png' }] } }],
    })
    const [, , answered, behind] = sent('openai-compatible', conversation)
    expect(answered).toMatchObject({ role: 'tool', content: [{ output: { type: 'text', value: 'drawn' } }] })
    expect(behind).toMatchObject({ role: 'user', content: [{ type: 'text' }, { mediaType: 'image/png' }] })
  })
})

describe('a request', () => {
  test('asks OpenAI to keep nothing, and names the session for its cache', () => {
    expect(rendered('openai', [user('hi')]).providerOptions?.['openai']).toEqual({
      store: false,
      promptCacheKey: 's',
    })
  })

  test('knows a model given in code by what its package calls its provider', () => {
    expect(rendered('openai.responses', [user('hi')]).providerOptions?.['openai']).toMatchObject({ store: false })
    expect(rendered('anthropic.messages', [user('hi')]).prompt.at(-1)?.providerOptions).toBeDefined()
    expect(rendered('openai.chat', [user('hi')]).providerOptions?.['openai']).not.toHaveProperty('store')
  })

  test('describes tools that may not be used any more, so that old calls make sense', () => {
    const { tools, toolChoice } = rendered('openai', [user('hi')], { mayUseTools: false })
    expect([tools?.length, toolChoice]).toEqual([1, { type: 'none' }])
    expect(rendered('openai', [user('hi')], { tools: [] })).not.toHaveProperty('toolChoice')
  })

  test('describes a tool nobody may use where old calls would be refused without one', () => {
    const called = [user('look'), assistant(use('a')), result('a')]
    expect(rendered('anthropic', called, { tools: [] })).toMatchObject({
      tools: [{ name: 'none' }],
      toolChoice: { type: 'none' },
    })
    expect(rendered('anthropic', [user('hi')], { tools: [] })).not.toHaveProperty('tools')
    expect(rendered('openai', called, { tools: [] })).not.toHaveProperty('tools')
  })

  test('is built from what is sent only, however often it is repeated', () => {
    const messages = [user('hi'), assistant({ type: 'text', text: 'hello' }), user('and?')]
    const once = rendered('anthropic', messages)
    expect(rendered('anthropic', messages).prompt).toEqual(once.prompt)
    expect(rendered('openai', messages).prompt.slice(4)).toEqual(
      once.prompt.slice(4).map(({ providerOptions: _, ...message }) => message),
    )
  })
})
