import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const usage = { input: 1000, output: 500 }
const three = { text: 'Three at once.', calls: [1, 2, 3].map((n) => ({ name: 'look', args: { n } })), usage }

verifies('PHA-2', 'triggered: carries out the first call of a message and ignores the others', async () => {
  const tool = probe('look')
  const segno = await segnoUnderTest({ tools: [tool], turns: [three, { text: 'Done.' }] })
  const { events } = await segno.ask('Go.', { protocol: 'triggered' })
  expect(tool.runs.map(({ args }) => args)).toEqual([{ n: 1 }])
  expect(said(events, 'message.assistant')[0]?.content.map(({ type }) => type)).toEqual(['text', 'tool_use'])
})

verifies('PHA-2', 'triggered: stops the model as soon as the first call is complete', async () => {
  const segno = await segnoUnderTest({
    tools: [probe('look')],
    // After its first call this stream says nothing more, and never ends.
    turns: [{ ...three, text: '', argDeltas: 3, delayMs: 10 }, { text: 'Done.' }],
    model: (scripted) => ({
      ...scripted,
      async doStream(options) {
        const { stream } = await scripted.doStream(options)
        let calls = 0
        const patience = new TransformStream({
          async transform(part: { type: string }, controller) {
            controller.enqueue(part)
            if (part.type === 'tool-call' && ++calls === 1) await new Promise(() => {})
          },
        })
        return { stream: stream.pipeThrough(patience) as typeof stream }
      },
    }),
  })
  const { finishReason } = await segno.ask('Go.', { protocol: 'triggered' })
  expect(finishReason).toBe('complete')
  expect(segno.requests[0]?.abortSignal?.aborted).toBe(true)
})

verifies('PHA-3', 'triggered: usage lost by stopping the model is estimated and marked', async () => {
  const segno = await segnoUnderTest({
    tools: [probe('look')],
    turns: [
      { ...three, delayMs: 20 },
      { text: 'Done.', usage },
    ],
  })
  const { events } = await segno.ask('Go.', { protocol: 'triggered' })
  const [stopped, whole] = said(events, 'turn.ended').map((turn) => turn.usage)
  expect(stopped).toMatchObject({ estimated: true })
  expect(stopped?.input).toBeGreaterThan(0)
  expect(stopped?.output).toBeGreaterThan(0)
  expect(whole).toEqual(usage)
  expect(said(events, 'round.ended')[0]?.usage).toMatchObject({ estimated: true })
})

verifies('PHA-3', 'unified: takes all calls of a message and the usage the provider tells', async () => {
  const tool = probe('look')
  const segno = await segnoUnderTest({ tools: [tool], turns: [three, { text: 'Done.', usage }] })
  const { events } = await segno.ask('Go.', { protocol: 'unified' })
  expect(tool.runs.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(said(events, 'round.ended')[0]?.usage).toEqual({ input: 2000, output: 1000 })
})
