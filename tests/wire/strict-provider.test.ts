import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createOpenAI } from '@ai-sdk/openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Script } from '../../src/model/index.ts'
import { FORMATS } from '../support/strict-provider/formats.ts'
import { FORMAT_NAMES, type FormatName } from '../support/strict-provider/names.ts'
import { startStrictProvider, type StrictProvider } from '../support/strict-provider/strict-provider.ts'

type Turn = NonNullable<Script['otherwise']>

async function provider(...turns: Turn[]): Promise<StrictProvider> {
  const started = await startStrictProvider({ scenarios: [{ when: '', turns }] })
  onTestFinished(() => started.close())
  return started
}

/** The packages as anybody uses them. */
const MODELS: { readonly [name in FormatName]: (env: StrictProvider['env']) => LanguageModelV4 } = {
  anthropic: (env) => createAnthropic(settings(env, 'ANTHROPIC'))('claude-sonnet-5-5'),
  'openai-chat': (env) => createOpenAI(settings(env, 'OPENAI')).chat('gpt-4.1'),
  openai: (env) => createOpenAI(settings(env, 'OPENAI')).responses('gpt-5.4'),
  deepseek: (env) => createDeepSeek(settings(env, 'DEEPSEEK'))('deepseek-v4-flash'),
}

const settings = (env: StrictProvider['env'], name: string) => ({
  apiKey: env[`${name}_API_KEY`] ?? '',
  baseURL: env[`${name}_BASE_URL`] ?? '',
})

const question: LanguageModelV4CallOptions = {
  prompt: [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
  ],
  tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object', properties: {} } }],
  toolChoice: { type: 'auto' },
  providerOptions: { openai: { store: false } },
}

async function ask(model: LanguageModelV4, options = question): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options)
  return Array.fromAsync(stream as AsyncIterable<LanguageModelV4StreamPart>)
}

const written = (parts: readonly LanguageModelV4StreamPart[], type: 'text-delta' | 'reasoning-delta'): string =>
  parts.map((part) => (part.type === type ? part.delta : '')).join('')
const calls = (parts: readonly LanguageModelV4StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [{ name: part.toolName, input: part.input }] : []))
const finish = (parts: readonly LanguageModelV4StreamPart[]) => parts.find((part) => part.type === 'finish')

describe.each(FORMAT_NAMES)('over %s', (name) => {
  const model = (started: StrictProvider): LanguageModelV4 => MODELS[name](started.env)

  test('a turn arrives as the script has it', async () => {
    const turn = {
      reasoning: 'Where could it be? '.repeat(3),
      text: 'Let me look for it, it cannot be far.',
      calls: [
        { name: 'look', args: { at: 'home' } },
        { name: 'look', rawArgs: '{"at": ' },
        { name: 'look', rawArgs: '' },
      ],
      argDeltas: 4,
      usage: { input: 100, output: 40, cachedRead: 60, reasoning: 8 },
    }
    const started = await provider(turn)
    const parts = await ask(model(started))
    expect(written(parts, 'text-delta')).toBe(turn.text)
    expect(written(parts, 'reasoning-delta')).toBe(name === 'openai-chat' ? '' : turn.reasoning)
    expect(calls(parts)).toEqual([
      { name: 'look', input: '{"at":"home"}' },
      { name: 'look', input: '{"at": ' },
      { name: 'look', input: name === 'anthropic' ? '{}' : '' },
    ])
    expect(finish(parts)).toMatchObject({
      finishReason: { unified: 'tool-calls' },
      usage: { inputTokens: { total: 100, cacheRead: 60 }, outputTokens: { total: 40 } },
    })
    expect(started.requests.map(({ format, faults }) => ({ format, faults }))).toEqual([{ format: name, faults: [] }])
  })

  test.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
  ] as const)('the stop %s arrives as %s', async (stopReason, unified) => {
    expect(finish(await ask(model(await provider({ text: 'so', stopReason }))))).toMatchObject({
      finishReason: { unified },
    })
  })

  test('a request that is wrong is refused in the words of the API, and noted', async () => {
    const started = await provider({ text: 'so' })
    const wrong = { ...question, tools: [{ ...question.tools?.[0], name: 'look up' }] } as LanguageModelV4CallOptions
    await expect(ask(model(started), wrong)).rejects.toMatchObject({ statusCode: 400, isRetryable: false })
    expect(started.requests[0]?.faults.map(({ message }) => message)).toEqual([expect.stringContaining('name')])
  })

  test('a fault before anything is sent is a status, with the time to wait', async () => {
    const overloaded = { statusCode: FORMATS[name].overloaded, isRetryable: true }
    await expect(ask(model(await provider({ fault: { kind: 'overloaded' } })))).rejects.toMatchObject(overloaded)
    const limited = await provider({ fault: { kind: 'error', status: 429, retryAfterMs: 20 } })
    await expect(ask(model(limited))).rejects.toMatchObject({
      statusCode: 429,
      responseHeaders: { 'retry-after-ms': '20', 'retry-after': '1' },
    })
  })

  test('a fault after deltas is an error in the stream', async () => {
    const turn: Turn = { text: 'abcdef', deltaChars: 2, fault: { kind: 'error', status: 500, afterDeltas: 2 } }
    const parts = await ask(model(await provider(turn)))
    expect(written(parts, 'text-delta')).toBe('abcd')
    expect(parts.filter(({ type }) => type === 'error')).toHaveLength(1)
  })

  test.each([1, 2])('a stream cut after %i deltas has no proper end', async (afterDeltas) => {
    const { stream } = await model(
      await provider({ text: 'abcdef', deltaChars: 2, fault: { kind: 'cut', afterDeltas } }),
    ).doStream(question)
    const parts: LanguageModelV4StreamPart[] = []
    const reading = (async () => {
      for await (const part of stream) parts.push(part)
    })()
    // after an even number the connection breaks, after an odd one the stream just ends
    await (afterDeltas % 2 === 0 ? expect(reading).rejects.toThrow() : reading)
    expect(written(parts, 'text-delta')).toBe('abcdef'.slice(0, afterDeltas * 2))
    const end = finish(parts)
    expect(end === undefined || end.finishReason.raw === undefined).toBe(true)
  })

  test('a stream that stalls ends when the client leaves', async () => {
    const started = await provider({ text: 'abcdef', deltaChars: 2, fault: { kind: 'stall', afterDeltas: 1 } })
    const leave = new AbortController()
    const { stream } = await model(started).doStream({ ...question, abortSignal: leave.signal })
    const reading = (async () => {
      for await (const part of stream) if (part.type === 'text-delta' && part.delta !== '') leave.abort()
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('somebody without a key is refused', async () => {
    const started = await provider({ text: 'so' })
    const url = new URL(FORMATS[name].path, started.env['ANTHROPIC_BASE_URL'])
    const response = await fetch(url, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
  })
})
