import type { LanguageModelV4 } from '@ai-sdk/provider'
import { callModel, createBreakers } from '../src/model/index.ts'
import { connections } from '../src/model/providers/connections.ts'
import { PROVIDERS } from '../src/model/providers/provider-table.ts'
import type { ModelRequest } from '../src/model/render/render.ts'
import { render } from '../src/model/render/render.ts'
import { systemClock } from '../src/lib/clock.ts'
import { compare, type Line } from './report.ts'
import { interleave } from './sampling.ts'

const DELTAS = 2000
const WORDS = 'a few words of text '

/** The bytes of one answer, an event a chunk, as each provider streams it. */
const ANSWERS: Readonly<Record<string, () => object[]>> = {
  anthropic: () => [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...deltas((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 99 } },
    { type: 'message_stop' },
  ],
  openai: () => [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    ...deltas((delta) => ({ type: 'response.output_text.delta', item_id: 'i', output_index: 0, delta })),
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i' } },
    { type: 'response.completed', response: { usage: { input_tokens: 10, output_tokens: 99 } } },
  ],
  'openai-chat': chat,
  deepseek: chat,
}

function chat(): object[] {
  const chunk = (choice: object, more: object = {}): object => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, ...choice }],
    ...more,
  })
  return [
    chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
    ...deltas((content) => chunk({ delta: { content }, finish_reason: null })),
    chunk({ delta: {}, finish_reason: 'stop' }, { usage: { prompt_tokens: 10, completion_tokens: 99 } }),
  ]
}

function deltas(one: (text: string) => object): object[] {
  return Array.from({ length: DELTAS }, (_, at) => one(`${at} ${WORDS}`))
}

/** What a package is given in the place of the network: the same bytes for both sides, none of them copied. */
function playing(events: readonly object[]): typeof fetch {
  const encoder = new TextEncoder()
  const frames = events.map((event) => {
    const type = 'type' in event ? `event: ${String(event.type)}\n` : ''
    return encoder.encode(`${type}data: ${JSON.stringify(event)}\n\n`)
  })
  return () => {
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const frame = frames[at++]
        if (frame) controller.enqueue(frame)
        else controller.close()
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  }
}

const request: ModelRequest = {
  prompt: {
    parts: [{ layer: 'core', id: 'core', text: 'Be kind.', hash: 'h' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }], eventIds: [] }],
    notes: [],
  },
  tools: [],
  mayUseTools: true,
  sessionId: 's',
  requestId: 'r',
  files: new Map(),
}

/** What Segno adds to reading a provider's stream, a delta at a time. */
export async function benchProvider(samples: number): Promise<Line[]> {
  const lines: Line[] = []
  const real = globalThis.fetch
  try {
    for (const [name, answer] of Object.entries(ANSWERS)) {
      const fetch = playing(answer())
      globalThis.fetch = fetch
      const [segno, alone] = await interleave([through(name), await bare(name, fetch)], samples, samples)
      lines.push(compare(`${name}: ${DELTAS} deltas, next to its package alone`, segno, alone, 1.15))
    }
  } finally {
    globalThis.fetch = real
  }
  return lines
}

const entry = (provider: string) => ({ key: 'k', provider, modelId: 'm', window: 100_000, maxOutput: 4000 })
const forever = { connectMs: 60_000, firstContentMs: 60_000, contentGapMs: 60_000, modelCallMs: 60_000 }

function through(provider: string) {
  const settings = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', DEEPSEEK_API_KEY: 'k' }
  const language = connections(settings).model({ provider, modelId: 'm', window: 100_000 })
  const breakers = createBreakers({ failures: 5, openMs: 1000 }, systemClock)
  let heard = 0
  return {
    async run(): Promise<void> {
      heard = 0
      const { failure } = await callModel(
        { ...entry(provider), language, prices: { input: 1, output: 1 } },
        {
          onDelta: () => void (heard += 1),
          onArgs: () => {},
          onRetry: async () => true,
          fallback: () => undefined,
          request: async () => request,
        },
        {
          firstCall: 1,
          oneCall: false,
          newCallId: () => 'c',
          patience: forever,
          answerChars: 10_000_000,
          retries: 0,
          retryBaseMs: 1,
          retryAfterMs: 1,
          breakers,
          signal: new AbortController().signal,
        },
      )
      if (failure || heard !== DELTAS)
        throw new Error(`${provider}: ${heard} deltas, ${failure?.reason ?? 'no failure'}`)
    },
  }
}

async function bare(provider: string, fetch: typeof globalThis.fetch) {
  const { baseURL = '', load } = PROVIDERS.find(({ name }) => name === provider) as (typeof PROVIDERS)[number]
  const { connect } = await load()
  const model: LanguageModelV4 = connect({ apiKey: 'k', baseURL, fetch })('m', { window: 100_000 })
  return {
    async run(): Promise<void> {
      const { stream } = await model.doStream(render(request, entry(provider), 1, new AbortController().signal))
      let heard = 0
      const reader = stream.getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        if (part.value.type === 'text-delta' && part.value.delta !== '') heard += 1
      }
      if (heard !== DELTAS) throw new Error(`${provider}: ${heard} deltas`)
    },
  }
}
