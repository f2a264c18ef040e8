import { expect, onTestFinished, test } from 'vitest'
import type { Script } from '../../src/model/index.ts'
import { FORMATS } from '../support/strict-provider/formats.ts'
import type { FormatName } from '../support/strict-provider/names.ts'
import { startStrictProvider } from '../support/strict-provider/strict-provider.ts'

const script: Script = {
  otherwise: { reasoning: 'Hm.', text: 'So.', calls: [{ name: 'look', args: {} }], usage: { input: 7, output: 5 } },
}
const user = { role: 'user', content: 'hello' }
const chat = { messages: [user], stream: true, stream_options: { include_usage: true } }
const BODIES: { readonly [name in FormatName]: object } = {
  anthropic: { model: 'claude-sonnet-5-5', max_tokens: 100, messages: [user], stream: true },
  'openai-chat': { model: 'gpt-4.1', ...chat },
  openai: { model: 'gpt-5.4', input: [user], stream: true, include: ['reasoning.encrypted_content'] },
  deepseek: { model: 'deepseek-v4-flash', ...chat },
}

/** What the server sends, frame by frame. */
async function framesOf(name: FormatName): Promise<{ event?: string; data: string }[]> {
  const provider = await startStrictProvider(script)
  onTestFinished(() => provider.close())
  const key = 'key'
  const response = await fetch(new URL(FORMATS[name].path, provider.env['ANTHROPIC_BASE_URL']), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(BODIES[name]),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const frames = (await response.text()).split('\n\n').filter((frame) => frame !== '')
  return frames.map((frame) => {
    const [, event] = /^event: (.*)$/m.exec(frame) ?? []
    const [, data = ''] = /^data: (.*)$/m.exec(frame) ?? []
    return { data, ...(event !== undefined && { event }) }
  })
}

test('the Messages API sends its events', async () => {
  const events = [
    'message_start',
    'content_block_start ping content_block_delta content_block_delta content_block_stop',
    'content_block_start content_block_delta content_block_stop',
    'content_block_start content_block_delta content_block_delta content_block_stop',
    'message_delta message_stop',
  ].join(' ')
  expect((await framesOf('anthropic')).map(({ event }) => event).join(' ')).toBe(events)
})

test('the Responses API sends its events, numbered', async () => {
  const frames = await framesOf('openai')
  const events = [
    'created in_progress',
    'output_item.added reasoning_summary_part.added reasoning_summary_text.delta',
    'reasoning_summary_text.done reasoning_summary_part.done output_item.done',
    'output_item.added content_part.added output_text.delta',
    'output_text.done content_part.done output_item.done',
    'output_item.added function_call_arguments.delta function_call_arguments.done output_item.done',
    'completed',
  ].join(' ')
  expect(frames.map(({ event }) => event?.replace('response.', '')).join(' ')).toBe(events)
  const numbers = frames.map(({ data }) => (JSON.parse(data) as { sequence_number: number }).sequence_number)
  expect(numbers).toEqual(frames.map((_, at) => at))
})

interface Chunk {
  readonly choices: readonly { readonly delta: object; readonly finish_reason: string | null }[]
  readonly usage: { readonly prompt_tokens: number } | null
}

/** What each chunk brings: the fields of its delta, why it ends, tokens. */
async function chunksOf(name: FormatName): Promise<string[]> {
  const frames = await framesOf(name)
  expect(frames.at(-1)?.data).toBe('[DONE]')
  return frames.slice(0, -1).map(({ data }) => {
    const { choices, usage } = JSON.parse(data) as Chunk
    const [choice] = choices
    const brought = [
      ...Object.keys(choice?.delta ?? {}),
      choice?.finish_reason,
      usage && `${usage.prompt_tokens} tokens`,
    ]
    return brought.filter(Boolean).join(' ')
  })
}

test('Chat Completions sends chunks, the tokens in one of their own, and [DONE]', async () => {
  expect(await chunksOf('openai-chat')).toEqual([
    'role content',
    'content',
    'tool_calls',
    'tool_calls',
    'tool_calls',
    '7 tokens',
  ])
})

test('DeepSeek sends chunks with its reasoning, the tokens in the last one, and [DONE]', async () => {
  expect(await chunksOf('deepseek')).toEqual([
    'role content',
    'content reasoning_content',
    'content',
    'tool_calls',
    'tool_calls',
    'tool_calls 7 tokens',
  ])
})
