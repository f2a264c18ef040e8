import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const look = () =>
  probe('look', {
    input: { type: 'object', properties: { at: { type: 'string' } }, additionalProperties: false },
  })
const raw = (rawArgs: string): ScriptedTurn => ({ calls: [{ name: 'look', rawArgs }] })

const refused: Record<string, readonly [turn: ScriptedTurn, code: string]> = {
  'arguments that are half a JSON object': [raw('{"at": "h'), 'INVALID'],
  'arguments cut off by max_tokens': [{ ...raw('{"at": "he'), stopReason: 'max_tokens' }, 'INVALID'],
  'arguments with something behind them': [raw('{"at":"here"} and more'), 'INVALID'],
  'arguments that are a list': [raw('[{"at":"here"}]'), 'INVALID'],
  'arguments that are a text': [raw('"here"'), 'INVALID'],
  'arguments that are null': [raw('null'), 'INVALID'],
  'arguments that are a number': [raw('5'), 'INVALID'],
  'arguments nested twenty thousand deep': [raw('{"at":'.repeat(20_000) + '1' + '}'.repeat(20_000)), 'INVALID'],
  'arguments of the wrong type': [{ calls: [{ name: 'look', args: { at: 5 } }] }, 'INVALID'],
  'arguments nobody declared': [{ calls: [{ name: 'look', args: { where: 'here' } }] }, 'INVALID'],
  'a tool that does not exist': [{ calls: [{ name: 'listen', args: {} }] }, 'UNKNOWN_TOOL'],
  'a tool named like a part of every object': [{ calls: [{ name: '__proto__', args: {} }] }, 'UNKNOWN_TOOL'],
}

for (const protocol of ['unified', 'triggered'] as const) {
  for (const [name, [turn, code]] of Object.entries(refused)) {
    verifies(['ORC-2', 'PHA-3'], `${protocol}: refuses ${name}, and the model may go on`, async () => {
      const tool = look()
      const segno = await segnoUnderTest({ tools: [tool], turns: [turn, { text: 'Done.' }] })
      const { events, content, finishReason } = await segno.ask('Go.', { protocol })
      expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'refused', code, effect: 'none' }])
      expect(tool.runs).toEqual([])
      expect({ content, finishReason }).toEqual({ content: 'Done.', finishReason: 'complete' })
    })
  }

  for (const empty of ['', ' \n']) {
    verifies('ORC-2', `${protocol}: takes ${JSON.stringify(empty)} as no arguments`, async () => {
      const tool = look()
      const segno = await segnoUnderTest({ tools: [tool], turns: [raw(empty), { text: 'Done.' }] })
      await segno.ask('Go.', { protocol })
      expect(tool.runs.map(({ args }) => args)).toEqual([{}])
    })
  }

  verifies('ORC-2', `${protocol}: runs the call once the model has corrected it`, async () => {
    const tool = look()
    const segno = await segnoUnderTest({
      tools: [tool],
      turns: [raw('{"at": '), raw('{"at": "here"}'), { text: 'Done.' }],
    })
    const { events } = await segno.ask('Go.', { protocol })
    expect(said(events, 'tool.result').map(({ code, outcome }) => code ?? outcome)).toEqual(['INVALID', 'ok'])
    expect(tool.runs.map(({ args }) => args)).toEqual([{ at: 'here' }])
  })

  verifies('PHA-3', `${protocol}: ignores and counts a call without a name`, async () => {
    const segno = await segnoUnderTest({ turns: [{ text: 'Hm.', calls: [{ name: '' }] }] })
    const { events, content } = await segno.ask('Go.', { protocol })
    expect(content).toBe('Hm.')
    expect(said(events, 'tool.call')).toEqual([])
    expect(said(events, 'round.ended')).toMatchObject([{ finishReason: 'complete', ignoredCalls: 1 }])
  })

  verifies('PHA-3', `${protocol}: takes the call with a name that comes after one without`, async () => {
    const tool = look()
    const segno = await segnoUnderTest({
      tools: [tool],
      turns: [{ calls: [{ name: '' }, { name: 'look', args: { at: 'here' } }] }, { text: 'Done.' }],
    })
    const { events } = await segno.ask('Go.', { protocol })
    expect(tool.runs).toHaveLength(1)
    expect(said(events, 'round.ended')).toMatchObject([{ finishReason: 'complete', ignoredCalls: 1 }])
  })

  verifies('PHA-3', `${protocol}: ignores and counts a call the provider never ended`, async () => {
    const tool = look()
    const segno = await segnoUnderTest({ tools: [tool], turns: [{ ...raw('{}'), text: 'Hm.' }], model: neverEnding })
    const { events, content } = await segno.ask('Go.', { protocol })
    expect(content).toBe('Hm.')
    expect(tool.runs).toEqual([])
    expect(said(events, 'round.ended')).toMatchObject([{ finishReason: 'complete', ignoredCalls: 1 }])
  })
}

verifies('ORC-2', 'arguments that did not parse are shown as {} and kept as they came', async () => {
  const segno = await segnoUnderTest({ tools: [look()], turns: [raw('{"at": '), { text: 'Done.' }] })
  const { events } = await segno.ask()
  expect(said(events, 'tool.call')).toMatchObject([{ args: {}, raw: '{"at": ' }])
  const messages = await segno.segno.sessions.messages(LOCAL_OWNER, segno.sessionId)
  expect(messages[1]?.content).toMatchObject([{ type: 'tool_use', input: {} }])
})

/** A provider that starts calls and forgets to end them. */
function neverEnding(scripted: LanguageModelV4): LanguageModelV4 {
  return {
    ...scripted,
    async doStream(options) {
      const { stream } = await scripted.doStream(options)
      const withoutEnds = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          if (part.type !== 'tool-call' && part.type !== 'tool-input-end') controller.enqueue(part)
        },
      })
      return { stream: stream.pipeThrough(withoutEnds) }
    },
  }
}
