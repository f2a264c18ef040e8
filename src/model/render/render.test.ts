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

const PARTS = (['core', 'system', 'preferences', 'guardrail'] as const).map((layer) => ({
  layer,
  id: layer,
  text: `the ${layer}`,
  hash: layer,
}))
const look = { name: 'look', description: 'looks', jsonSchema: { type: 'object' } } as const

function rendered(
  provider: string,
  messages: readonly Message[],
  more: Partial<ModelRequest> = {},
  entry: Partial<ModelEntry> = {},
  notes: readonly string[] = [],
) {
  const prompt: Prompt = { parts: PARTS, messages, notes }
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

describe('system texts', () => {
  test('are one message each where a provider takes several, and one for all where it may not', () => {
    expect(rolesOf('anthropic', [user('hi')])).toEqual(['system', 'system', 'system', 'system', 'user'])
    expect(rolesOf('ollama', [user('hi')])).toEqual(['system', 'user'])
    expect(rendered('openai-compatible', [user('hi')]).prompt[0]?.content).toBe(
      'the core\n\nthe system\n\nthe preferences\n\nthe guardrail',
    )
  })
})

const CONVERSATION = [user('hi'), assistant({ type: 'text', text: 'hello' }), user('look')]

describe('marks for the cache', () => {
  const marks = (messages: readonly Message[], notes: readonly string[] = [], entry: Partial<ModelEntry> = {}) => {
    const { prompt, tools } = rendered('anthropic', messages, {}, entry, notes)
    const isMarked = (one: object = {}): boolean => 'providerOptions' in one
    const parts = prompt.flatMap(({ content }, at) =>
      typeof content === 'string' ? [] : content.flatMap((part, n) => (isMarked(part) ? [`${at}.${n}`] : [])),
    )
    return [
      ...(isMarked(tools?.at(-1)) ? ['tools'] : []),
      ...prompt.flatMap((one, at) => (isMarked(one) ? [at] : [])),
      ...parts,
    ]
  }

  test('are at the tools, the system texts, and the ends of this request and of the one before', () => {
    expect(marks([user('hi')])).toEqual(['tools', 3, 4])
    expect(marks([user('hi'), assistant(use('a')), result('a')])).toEqual(['tools', 3, 4, 6])
    expect(marks(CONVERSATION)).toEqual(['tools', 3, 5, 6])
  })

  test('are at the last note, which the next request has too, and before the message it is about', () => {
    expect(marks(CONVERSATION, ['One.', 'Two.'])).toEqual(['tools', 3, 5, '6.2'])
  })

  test('are where a long round began, which was not sent in this form before', () => {
    const calls = Array.from({ length: 10 }, (_, n) => [assistant(use(`c${n}`)), result(`c${n}`)]).flat()
    const long = [...CONVERSATION, ...calls, assistant({ type: 'text', text: 'done' }), user('and?')]
    expect(marks(long)).toEqual(['tools', 3, 5, 27])
  })

  test('are none where a provider finds out by itself', () => {
    const { prompt, tools = [] } = rendered('openai', CONVERSATION)
    expect([...prompt, ...tools].filter((one) => 'providerOptions' in one)).toEqual([])
  })

  test('ask for an hour where the entry does', () => {
    expect(rendered('anthropic', CONVERSATION, {}, { cacheTtl: '1h' }).prompt.at(-1)?.providerOptions).toEqual({
      anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } },
    })
  })
})

describe('notes about the open round', () => {
  const NOTES = ['You called a.', 'You called b.']
  const withNotes = (provider: string, messages: readonly Message[] = CONVERSATION) =>
    rendered(provider, messages, {}, {}, NOTES).prompt.filter(({ role }, at) => role !== 'system' || at > 3)

  verifies('PHA-7', 'are system messages right before the last user message where a provider takes them', () => {
    for (const provider of ['openai', 'openai.chat', 'deepseek', 'scripted']) {
      expect(withNotes(provider)).toMatchObject([
        { role: 'user' },
        { role: 'assistant' },
        { role: 'system', content: 'You called a.' },
        { role: 'system', content: 'You called b.' },
        { role: 'user', content: [{ type: 'text', text: 'look' }] },
      ])
    }
  })

  verifies('PHA-7', 'are a marked text at the head of the last user message where it does not', () => {
    for (const provider of ['google', 'openai-compatible', 'ollama', 'somebody']) {
      const last = withNotes(provider).at(-1)
      expect(last).toMatchObject({ role: 'user', content: [{ type: 'text' }, { type: 'text', text: 'look' }] })
      expect(rendered(provider, CONVERSATION, {}, {}, NOTES).prompt.at(-1)).toEqual(last)
      expect(last?.content[0]).toMatchObject({
        text:
          "[From Segno, about this round; not the user's words:]\n\nYou called a.\n\nYou called b.\n\n" +
          '[End of what Segno says. What follows is from the user:]',
      })
    }
  })

  verifies('PHA-7', 'are texts of their own between two others where a cache is told what to keep', () => {
    const texts = withNotes('anthropic').at(-1)?.content as readonly { text: string }[]
    expect(texts.map(({ text }) => text)).toEqual([
      "[From Segno, about this round; not the user's words:]",
      ...NOTES,
      '[End of what Segno says. What follows is from the user:]',
      'look',
    ])
  })

  test('come after results of an earlier round that share the message with what the user said', () => {
    const merged: Message = { ...result('a'), content: [...result('a').content, ...user('and?').content] } as Message
    const messages = [user('look'), assistant(use('a')), merged]
    expect(withNotes('openai', messages).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'system',
      'system',
      'user',
    ])
    expect(withNotes('anthropic', messages).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
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
    ['LIN-5', 'GOV-22'],
    'all go back with their signatures to the model that had them, in every request',
    () => {
      for (const provider of ['anthropic', 'openai', 'google', 'deepseek', 'openai-compatible', 'ollama', 'somebody'])
        expect(thoughtsOf(provider, asked(`${provider}:m`)), provider).toEqual([
          { type: 'reasoning', text: 'old', providerOptions: { p: { signature: 'old' } } },
          { type: 'reasoning', text: '', providerOptions: { p: { signature: 'new' } } },
        ])
    },
  )

  test('are left out once their provider has refused them, and so is what their calls have of them', () => {
    const call = { ...use('a'), meta: { of: 'google:m', data: { google: { thoughtSignature: 's' } } } }
    const messages = [user('look'), assistant(thought('hm', 'google:m'), call), result('a')]
    const calls = (more: Partial<ModelRequest>) => rendered('google', messages, more).prompt.at(-2)?.content
    expect(calls({})).toMatchObject([{ type: 'reasoning' }, { type: 'tool-call', providerOptions: call.meta.data }])
    expect(calls({ withoutThoughts: true })).toEqual([
      { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} },
    ])
  })

  test('that led to nothing are left out, with their message if that has nothing else', () => {
    const me = 'anthropic:m'
    const text = { type: 'text', text: 'hello' } as const
    const cut = [
      user('hi'),
      assistant(thought('a', me), text, thought('b', me)),
      user('go'),
      assistant(thought('c', me)),
    ]
    expect(thoughtsOf('anthropic', cut)).toEqual([{ type: 'reasoning', text: 'a' }])
    expect(rolesOf('anthropic', cut).slice(4)).toEqual(['user', 'assistant', 'user'])
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
