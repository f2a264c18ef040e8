import { APICallError, type LanguageModelV4CallOptions, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { done, ollamaServer, refuses, says, type OllamaTurn } from '../../../tests/support/ollama-server.ts'
import { createOllama } from './create-ollama.ts'
import { listOllamaModels } from './list-models.ts'

const QUESTION: LanguageModelV4CallOptions['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'Hi?' }] }]
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

async function under(turns: readonly OllamaTurn[], model = 'qwen3') {
  const { baseURL, requests } = await ollamaServer(turns)
  const ollama = createOllama({ baseURL })(model, { window: 8192 })
  const ask = async (options: Partial<LanguageModelV4CallOptions> = {}): Promise<LanguageModelV4StreamPart[]> => {
    const { stream } = await ollama.doStream({ prompt: QUESTION, ...options })
    return Array.fromAsync(stream)
  }
  return { ollama, ask, requests }
}

async function errorOf(promise: Promise<unknown>): Promise<APICallError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!APICallError.isInstance(error)) throw new Error(`expected the error of an API, got ${String(error)}`)
  return error
}

describe('a request', () => {
  test('says how much the model may see, and that nothing may be cut off silently', async () => {
    const { ask, requests } = await under([[says('Hi.'), done()]])
    await ask({ temperature: 0.2, maxOutputTokens: 500 })
    expect(requests).toEqual([
      {
        model: 'qwen3',
        messages: [{ role: 'user', content: 'Hi?' }],
        stream: true,
        truncate: false,
        shift: false,
        options: { num_ctx: 8192, num_predict: 500, temperature: 0.2 },
      },
    ])
  })

  test('that does not fit is refused by the server, as an error that says so', async () => {
    const { ask } = await under([[says('Hi.'), done()]])
    const long = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'word '.repeat(20_000) }] }]
    expect(await errorOf(ask({ prompt: long }))).toMatchObject({
      statusCode: 400,
      isRetryable: false,
      data: { error: { code: 'context_length_exceeded' } },
    })
  })

  test('has one system message, however many layers there are', async () => {
    const { ask, requests } = await under([[says('Hi.'), done()]])
    await ask({
      prompt: [{ role: 'system', content: 'Core.' }, { role: 'system', content: 'Notes.' }, ...QUESTION],
    })
    expect(requests[0]?.messages).toEqual([
      { role: 'system', content: 'Core.\n\nNotes.' },
      { role: 'user', content: 'Hi?' },
    ])
  })

  test('keeps calls, results, thoughts and pictures', async () => {
    const { ask, requests } = await under([[says('Hi.'), done()]])
    const input = { n: 1 }
    const toolName = 'look'
    await ask({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is' },
            { type: 'text', text: 'this?' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array(PNG) } },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG.toString('base64') } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Look first.' },
            { type: 'tool-call', toolCallId: 'a', toolName, input },
            { type: 'tool-call', toolCallId: 'b', toolName, input },
            { type: 'tool-call', toolCallId: 'c', toolName, input: 'not an object' },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'a', toolName, output: { type: 'text', value: 'a cat' } },
            { type: 'tool-result', toolCallId: 'b', toolName, output: { type: 'error-json', value: { bad: true } } },
            { type: 'tool-result', toolCallId: 'c', toolName, output: { type: 'execution-denied', reason: 'No.' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: '' }] },
      ],
    })
    const image = PNG.toString('base64')
    expect(requests[0]?.messages).toEqual([
      { role: 'user', content: 'What is\nthis?', images: [image, image] },
      {
        role: 'assistant',
        content: '',
        thinking: 'Look first.',
        tool_calls: [
          { id: 'a', function: { index: 0, name: 'look', arguments: { n: 1 } } },
          { id: 'b', function: { index: 1, name: 'look', arguments: { n: 1 } } },
          { id: 'c', function: { index: 2, name: 'look', arguments: {} } },
        ],
      },
      { role: 'tool', tool_name: 'look', tool_call_id: 'a', content: 'a cat' },
      { role: 'tool', tool_name: 'look', tool_call_id: 'b', content: '{"bad":true}' },
      { role: 'tool', tool_name: 'look', tool_call_id: 'c', content: 'No.' },
    ])
  })

  test('describes tools, and none of them where none may be used', async () => {
    const { ask, requests } = await under([[says('Hi.'), done()]])
    const tools = [
      { type: 'function' as const, name: 'look', description: 'looks', inputSchema: { type: 'object' as const } },
    ]
    await ask({ tools })
    await ask({ tools, toolChoice: { type: 'none' } })
    expect(requests[0]?.tools).toEqual([
      {
        type: 'function',
        function: { name: 'look', description: 'looks', parameters: { type: 'object', properties: {} } },
      },
    ])
    expect(requests[1]).not.toHaveProperty('tools')
  })

  test('holds the answer to a schema', async () => {
    const { ask, requests } = await under([[says('{}'), done()]])
    await ask({ responseFormat: { type: 'json', schema: { type: 'object' } } })
    expect(requests[0]).toMatchObject({ format: { type: 'object' } })
  })

  test.each([
    ['qwen3', undefined, undefined],
    ['qwen3', 'none', false],
    ['qwen3', 'low', true],
    ['gpt-oss:20b', 'minimal', 'low'],
    ['gpt-oss:20b', 'max', 'high'],
  ] as const)('to %s with the effort %s thinks: %s', async (model, reasoning, think) => {
    const { ask, requests } = await under([[says('Hi.'), done()]], model)
    await ask({ ...(reasoning && { reasoning }) })
    expect(requests[0]?.think).toBe(think)
  })

  test.each([
    ['a document', { mediaType: 'application/pdf', data: { type: 'data' as const, data: 'JVBERi0=' } }],
    [
      'an address',
      { mediaType: 'image/png', data: { type: 'url' as const, url: new URL('http://example.org/a.png') } },
    ],
  ])('with %s is refused before it is sent', async (_, file) => {
    const { ask, requests } = await under([[says('Hi.'), done()]])
    const prompt = [{ role: 'user' as const, content: [{ type: 'file' as const, ...file }] }]
    await expect(ask({ prompt })).rejects.toThrow('Ollama does not take')
    expect(requests).toEqual([])
  })
})

describe('a failure', () => {
  test('keeps status, headers and the reason', async () => {
    const { ask } = await under([refuses(429, 'too many', { 'retry-after': '7' })])
    const error = await errorOf(ask())
    expect(error).toMatchObject({ statusCode: 429, isRetryable: true, message: 'Ollama answered 429: too many' })
    expect(error.responseHeaders?.['retry-after']).toBe('7')
  })

  test.each([
    [404, false],
    [400, false],
    [500, true],
    [503, true],
  ])('of status %s may be tried again: %s', async (status, isRetryable) => {
    const { ask } = await under([refuses(status, 'no')])
    expect(await errorOf(ask())).toMatchObject({ statusCode: status, isRetryable })
  })

  test('holds nothing of the conversation', async () => {
    const { ask } = await under([refuses(500, 'no')])
    expect(JSON.stringify(await errorOf(ask()))).not.toContain('Hi?')
  })

  test('to connect may be tried again', async () => {
    const ollama = createOllama({ baseURL: 'http://127.0.0.1:1' })('qwen3', { window: 8192 })
    const asked = Promise.resolve(ollama.doStream({ prompt: QUESTION }))
    expect(await errorOf(asked)).toMatchObject({ statusCode: undefined, isRetryable: true })
  })

  test('in the middle of a good answer is a part that may be tried again', async () => {
    const { ask } = await under([[says('Hi'), { error: 'the runner died' }]])
    const last = (await ask()).at(-1)
    expect(last).toMatchObject({ type: 'error', error: { isRetryable: true, statusCode: undefined } })
  })

  test('of the connection in mid-answer ends the stream with an error', async () => {
    const { ask } = await under([
      (response) => {
        response.writeHead(200)
        response.write(`${JSON.stringify(says('Hi'))}\n`, () => response.destroy())
      },
    ])
    await expect(ask()).rejects.toThrow('terminated')
  })
})

describe('an abort', () => {
  test('ends the stream with its reason, and the server is told', async () => {
    const closed = Promise.withResolvers<unknown>()
    const { ollama } = await under([
      (response) => {
        closed.resolve(once(response, 'close'))
        response.writeHead(200)
        response.write(`${JSON.stringify(says('Hi'))}\n`)
      },
    ])
    const stop = new AbortController()
    const { stream } = await ollama.doStream({ prompt: QUESTION, abortSignal: stop.signal })
    const reader = stream.getReader()
    for (let part = await reader.read(); part.value?.type !== 'text-delta';) part = await reader.read()
    const reason = new Error('enough')
    const next = reader.read()
    stop.abort(reason)
    await expect(next).rejects.toBe(reason)
    await closed.promise
  })

  test('before the answer begins is thrown as it is', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const { ask } = await under([() => stop.abort(reason)])
    await expect(ask({ abortSignal: stop.signal })).rejects.toBe(reason)
  })
})

describe('the list of models', () => {
  test.each(['', '/', '/api', '/v1/'])('is found under a base address that ends in "%s"', async (end) => {
    const { baseURL } = await ollamaServer([], ['qwen3:latest', 'gemma4:27b'])
    expect(await listOllamaModels(baseURL + end, AbortSignal.timeout(5000))).toEqual(['qwen3:latest', 'gemma4:27b'])
  })

  test('is refused where nobody or somebody else answers', async () => {
    const { baseURL } = await ollamaServer()
    await expect(listOllamaModels('http://127.0.0.1:1', AbortSignal.timeout(5000))).rejects.toThrow()
    await expect(listOllamaModels(`${baseURL}/elsewhere`, AbortSignal.timeout(5000))).rejects.toThrow('404')
  })
})
