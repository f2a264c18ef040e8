import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

type Part = LanguageModelV4StreamPart
type Break = (parts: readonly Part[]) => ReadableStream<Part>

const change =
  (type: Part['type'], more: object): Break =>
  (parts) =>
    ReadableStream.from(parts.map((part) => (part.type === type ? { ...part, ...more } : part)))
const nothing = { inputTokens: {}, outputTokens: {} }

/** What a provider must not do, and how a round with it ends. */
const broken: Record<string, readonly [Break, finish: string]> = {
  'tells its usage in numbers that cannot be stored': [
    change('finish', { usage: { inputTokens: { total: 5n }, outputTokens: { total: 5n } } }),
    'complete',
  ],
  'signs its reasoning with what cannot be stored': [
    change('reasoning-end', { providerMetadata: { provider: { signature: 5n } } }),
    'complete',
  ],
  'never tells its usage': [change('finish', { usage: nothing }), 'complete'],
  'ends for a reason of its own': [change('finish', { finishReason: { unified: 'other', raw: 'bored' } }), 'complete'],
  'ends without saying that it does': [change('finish', { finishReason: { unified: 'other' } }), 'error'],
  'says that it failed': [change('finish', { finishReason: { unified: 'error' } }), 'error'],
  'sends parts nobody knows': [
    (parts) => ReadableStream.from([{ type: 'mystery' } as unknown as Part, ...parts]),
    'complete',
  ],
  'sends something that is no part': [() => ReadableStream.from([null as unknown as Part]), 'error'],
  'sends nothing': [() => ReadableStream.from([]), 'error'],
  'breaks its stream': [
    (parts) =>
      new ReadableStream({
        start(controller) {
          for (const part of parts.slice(0, 3)) controller.enqueue(part)
        },
        pull: (controller) => controller.error(new Error('socket hang up')),
      }),
    'error',
  ],
  'never stops talking, not even to take a breath': [
    () =>
      new ReadableStream({ pull: (controller) => controller.enqueue({ type: 'text-delta', id: '1', delta: 'la ' }) }),
    'timeout',
  ],
  'cannot even be called': [
    () => {
      throw new TypeError('fetch failed')
    },
    'error',
  ],
}

function breaking(how: Break) {
  return (scripted: LanguageModelV4): LanguageModelV4 => ({
    ...scripted,
    async doStream(options) {
      const { stream } = await scripted.doStream(options)
      const isFirstRound = options.prompt.every((message) => !JSON.stringify(message.content).includes('And now?'))
      return { stream: isFirstRound ? how(await Array.fromAsync(stream)) : stream }
    },
  })
}

for (const protocol of ['unified', 'triggered'] as const) {
  for (const [name, [how, finish]] of Object.entries(broken)) {
    verifies(
      'PHA-6',
      `${protocol}: a provider that ${name} leads to one ${finish}, and the session goes on`,
      async () => {
        const segno = await segnoUnderTest({
          tools: [probe('look')],
          turns: [{ reasoning: 'Hm.', text: 'Here.' }],
          model: breaking(how),
          // Only its time may end one that never stops: a fast machine says very much in it.
          limits: { RETRIES: 1, ANSWER_CHARS: 1_000_000_000 },
        })
        const { events, finishReason } = await segno.ask('Go.', {
          protocol,
          timeoutMs: finish === 'timeout' ? 500 : 60_000,
        })
        expect(finishReason).toBe(finish)
        expect(events.filter(({ type }) => type === 'round.ended')).toHaveLength(1)
        expect(await segno.ask('And now?', { protocol })).toMatchObject({ content: 'Here.', finishReason: 'complete' })
      },
    )
  }
}
