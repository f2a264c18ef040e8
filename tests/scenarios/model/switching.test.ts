import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const talking: Opening = { script: { otherwise: { text: 'Fine, thank you, and how are you today?' } } }
const long = 'blah '.repeat(800)

/** Eight long messages, then some to a model that sees less and one to the model from before; what the last two saw. */
async function lessThenMore(limits: Opening['limits'], small = 1) {
  let window = 100_000
  const entry: Opening['entry'] = (model) => ({ ...model, key: `of ${window}`, window, maxOutput: 500 })
  const it = await segnoUnderTest({ ...talking, entry, ...(limits && { limits }) })
  for (let i = 0; i < 8; i++) await it.ask(`${i} ${long}`)
  window = 6000
  for (let i = 0; i < small; i++) await it.ask('small')
  window = 100_000
  await it.ask('large')
  const seen = it.requests.map(({ prompt }) => prompt.filter(({ role }) => role !== 'system').length)
  return { seen: seen.slice(-2), summaries: said(await it.events(), 'compact.summary') }
}

test('a round with a model that sees less does not shorten the conversation for one that sees more', async () => {
  for (const limits of [{}, { COMPACT_PERCENT: 0 }]) {
    const { seen, summaries } = await lessThenMore(limits)
    expect(seen[0]).toBeLessThan(10)
    expect(seen[1]).toBe(19)
    expect(summaries).toEqual([])
  }
})

test('a second one in a row summarises it, for every model from then on', async () => {
  const { seen, summaries } = await lessThenMore({}, 2)
  expect(summaries).toMatchObject([{ model: 'of 6000' }])
  expect(seen[0]).toBeLessThan(10)
  expect(seen[1]).toBe((seen[0] ?? 0) + 2)
})

verifies(
  'COO-6',
  'a model that talks until the time of its round is up is not asked again, and its provider is not blamed',
  async () => {
    const it = await segnoUnderTest({
      turns: [{ text: long, deltaChars: 5, delayMs: 5 }],
      repeat: true,
      limits: { TOTAL_MS: 150, BREAKER_FAILURES: 2 },
    })
    for (let i = 0; i < 3; i++) {
      const { events, finishReason } = await it.ask()
      expect([finishReason, said(events, 'turn.retried').length]).toEqual(['timeout', 0])
    }
    expect(it.requests).toHaveLength(3)
  },
)

verifies('COO-6', 'a client that is in more of a hurry than usual does not get a provider left alone', async () => {
  const it = await segnoUnderTest({
    script: {
      scenarios: [{ when: 'hurry', repeat: true, turns: [{ fault: { kind: 'stall' } }] }],
      otherwise: { text: 'Fine.' },
    },
    limits: { BREAKER_FAILURES: 2, RETRIES: 1 },
  })
  for (let i = 0; i < 2; i++)
    expect((await it.ask('hurry', { limits: { modelCallMs: 20 } })).finishReason).toBe('timeout')
  expect((await it.ask('And now?')).content).toBe('Fine.')
})

verifies(
  'PHA-2',
  'triggered: a model that goes on after a call without arguments is not silent, and its words are not shown',
  async () => {
    const rest = { text: 'and so on '.repeat(20), deltaChars: 5, delayMs: 50 }
    const it = await segnoUnderTest({
      tools: [probe('look')],
      turns: [{ calls: [{ name: 'look', rawArgs: '' }] }, { text: 'Seen.' }],
      limits: { CONTENT_GAP_MS: 1500 },
      model: (scripted) => ({
        ...scripted,
        async doStream(options) {
          const { stream } = await scripted.doStream(options)
          const parts = await Array.fromAsync(stream)
          const at = parts.findIndex(({ type }) => type === 'tool-call')
          if (at < 0) return { stream: ReadableStream.from(parts) }
          return {
            stream: ReadableStream.from(
              (async function* () {
                yield* parts.slice(0, at + 1)
                for (let i = 0; i < rest.text.length; i += rest.deltaChars) {
                  await new Promise((resolve) => setTimeout(resolve, rest.delayMs))
                  yield { type: 'text-delta' as const, id: 't', delta: rest.text.slice(i, i + rest.deltaChars) }
                }
                yield* parts.slice(at + 1)
              })(),
            ),
          }
        },
      }),
    })
    const { finishReason, events } = await it.ask('Go.', { protocol: 'triggered' })
    expect(finishReason).toBe('complete')
    expect(said(events, 'turn.retried')).toEqual([])
    expect(said(events, 'message.assistant')[0]?.content.map(({ type }) => type)).toEqual(['tool_use'])
  },
)

verifies('GOV-6', 'a call that died with its process is marked in what its round used', async () => {
  const usage = { input: 10, output: 1 }
  const it = await segnoUnderTest({ turns: [{ text: long, deltaChars: 5, delayMs: 20 }] })
  const { requestId } = await it.send()
  await it.until('turn.started')
  await it.reopen({ turns: [{ text: 'Whole.', usage }] })
  await it.until('round.ended')
  const { usage: whole } = (await it.segno.rounds.get(LOCAL_OWNER, requestId)) as { usage: object }
  expect(whole).toMatchObject({ ...usage, estimated: true })
})
