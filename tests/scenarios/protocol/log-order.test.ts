import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect } from 'vitest'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const twoCalls = [
  { name: 'mail', args: { to: 'a' } },
  { name: 'mail', args: { to: 'b' } },
]

verifies('LIN-2', 'unified: stores each call with its start and its result before the next one', async () => {
  const segno = await segnoUnderTest({
    tools: [probe('mail', { effect: 'unsafe' })],
    turns: [{ calls: twoCalls }, { text: 'Sent.' }],
  })
  const { events } = await segno.ask()
  expect(events.map(({ type }) => type)).toEqual([
    'round.started',
    'message.user',
    'turn.started',
    'message.assistant',
    'turn.ended',
    'tool.call',
    'tool.started',
    'tool.result',
    'tool.call',
    'tool.started',
    'tool.result',
    'turn.started',
    'message.assistant',
    'turn.ended',
    'round.ended',
  ])
})

/** Which call each event of a call belongs to, by its tool: `call a`, `started a`, `result a` … */
const steps = (events: readonly StoredEvent[]): string[] => {
  const names = new Map(said(events, 'tool.call').map(({ callId, name }) => [callId, name]))
  return events.flatMap(({ type, data }) =>
    'callId' in data ? [`${type.split('.')[1]} ${names.get(data.callId)}`] : [],
  )
}

verifies('LIN-2', 'unified: calls that run at once stand together, the one behind them does not', async () => {
  const tools = [probe('a'), probe('b'), probe('c', { effect: 'unsafe' })]
  const calls = ['a', 'b', 'c'].map((name) => ({ name }))
  const segno = await segnoUnderTest({ tools, turns: [{ calls }, { text: 'Done.' }] })
  const { events } = await segno.ask()
  expect(steps(events)).toEqual([
    'call a',
    'call b',
    'started a',
    'started b',
    'result a',
    'result b',
    'call c',
    'started c',
    'result c',
  ])
})

verifies('LIN-2', 'unified: calls that are asked about together stand together, the one between does not', async () => {
  const tools = [probe('a', { approval: 'ask' }), probe('b'), probe('c', { approval: 'ask' })]
  const calls = ['a', 'b', 'c'].map((name) => ({ name }))
  const segno = await segnoUnderTest({ tools, turns: [{ calls }, { text: 'Done.' }] })
  const { round, approvals } = await segno.askUntilWaiting()
  expect(steps(await segno.events())).toEqual(['call a', 'requested a', 'call c', 'requested c'])
  // A call nobody answers keeps the ones behind it waiting, whether they were asked about or not.
  for (const approval of approvals.toReversed()) await segno.decide(approval, 'approve')
  await round.completion
  const rest = steps(await segno.events()).filter((step) => !step.startsWith('decided'))
  expect(rest.slice(4)).toEqual(['call b', 'started a', 'started b', 'started c', 'result a', 'result b', 'result c'])
})

verifies('LIN-2', 'triggered: stores message, call, start and result in this order', async () => {
  const segno = await segnoUnderTest({
    tools: [probe('mail', { effect: 'unsafe' })],
    turns: [{ calls: twoCalls }, { text: 'Sent.' }],
  })
  const { events } = await segno.ask('Go.', { protocol: 'triggered' })
  expect(events.map(({ type }) => type)).toEqual([
    'round.started',
    'message.user',
    'phase.started',
    'turn.started',
    'message.assistant',
    'turn.ended',
    'tool.call',
    'tool.started',
    'tool.result',
    'phase.ended',
    'phase.started',
    'turn.started',
    'message.assistant',
    'turn.ended',
    'phase.ended',
    'round.ended',
  ])
})

verifies('LIN-2', 'the message that asks for tools holds all its uses, its stop reason and its usage', async () => {
  const usage = { input: 100, output: 20, cachedRead: 40 }
  const segno = await segnoUnderTest({
    tools: [probe('mail')],
    turns: [{ text: 'Both.', calls: twoCalls, usage }, { text: 'Sent.' }],
  })
  const { events } = await segno.ask()
  const [message] = said(events, 'message.assistant')
  expect(message).toMatchObject({ stopReason: 'tool_use', usage, final: false })
  expect(message?.content.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use'])
})

verifies('LIN-2', 'the message that asks for tools keeps the signature of its reasoning', async () => {
  const segno = await segnoUnderTest({
    tools: [probe('mail')],
    turns: [{ reasoning: 'They want mail.', calls: twoCalls }, { text: 'Sent.' }],
    model: signing,
  })
  const { events } = await segno.ask()
  expect(said(events, 'message.assistant')[0]?.content[0]).toEqual({
    type: 'reasoning',
    text: 'They want mail.',
    meta: { of: 'scripted:scripted', data: { provider: { signature: 'sealed' } } },
  })
})

for (const effect of ['unsafe', 'keyed', 'verifiable'] satisfies EffectClass[]) {
  verifies('LIN-2', `the start of a call with effect ${effect} is on disk before the effect begins`, async () => {
    const opened: SegnoUnderTest[] = []
    const stored: string[] = []
    const tool = probe('mail', {
      effect,
      verify: async () => ({ happened: 'unknown' }),
      async run(_, { callId }) {
        for (const event of (await opened[0]?.events()) ?? []) {
          if ('callId' in event.data && event.data.callId === callId) stored.push(event.type)
        }
        return 'sent'
      },
    })
    opened.push(await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] }))
    await opened[0]?.ask()
    expect(stored).toEqual(['tool.call', 'tool.started'])
  })
}

verifies('LIN-3', 'calls no model while a use has no result', async () => {
  const calls = ['mail', 'nowhere', 'mail'].map((name, n) => ({ name, args: { n } }))
  const segno = await segnoUnderTest({ tools: [probe('mail')], turns: [{ calls }, { calls }, { text: 'Sent.' }] })
  const { events } = await segno.ask()
  const open = new Set<string>()
  for (const { type, data } of events) {
    if (type === 'message.assistant') {
      for (const part of data.content) if (part.type === 'tool_use') open.add(part.id)
    }
    if (type === 'tool.result') expect(open.delete(data.callId)).toBe(true)
    if (type === 'turn.started') expect([...open]).toEqual([])
  }
  expect(said(events, 'tool.result')).toHaveLength(6)
})

function signing(scripted: LanguageModelV4): LanguageModelV4 {
  const sign = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform(part, controller) {
      const signed = { ...part, providerMetadata: { provider: { signature: 'sealed' } } }
      controller.enqueue(part.type === 'reasoning-end' ? signed : part)
    },
  })
  let first = true
  return {
    ...scripted,
    async doStream(options) {
      const { stream } = await scripted.doStream(options)
      if (!first) return { stream }
      first = false
      return { stream: stream.pipeThrough(sign) }
    },
  }
}
