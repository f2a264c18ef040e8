import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Pulse } from '../../../src/contract/pulse.ts'
import type { Frame } from '../../../src/stream/index.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { eventsIn, framesOf, roundFromBefore, textOf, WatchingClient } from './support/frames.ts'

const pulsesIn = (frames: readonly Frame[]): Pulse[] =>
  frames.flatMap((frame) => (frame.kind === 'pulse' ? [frame.pulse] : []))

verifies('COO-1', 'who joins a running turn first gets one delta with all of its text so far', async () => {
  const text = 'a long story, told slowly'
  const u = await segnoUnderTest({ turns: [{ text, deltaChars: 1, fault: { kind: 'stall', afterDeltas: 10 } }] })
  const { requestId } = await u.send()
  for await (const frame of u.segno.follow(u.sessionId, { requestId })) {
    if (frame.kind !== 'pulse' || frame.pulse.type !== 'delta') continue
    if (frame.pulse.offset + frame.pulse.text.length === 10) break
  }
  const { seq: after } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  const [first] = await framesOf(u.segno.follow(u.sessionId, { after, requestId }), () => true)
  expect(first).toMatchObject({ pulse: { type: 'delta', kind: 'text', turn: 1, offset: 0, text: text.slice(0, 10) } })
})

verifies('COO-1', 'after a cut the text is taken back with a reset, and starts again at offset 0', async () => {
  const u = await segnoUnderTest({
    turns: [{ text: 'half', deltaChars: 1, delayMs: 2, fault: { kind: 'cut', afterDeltas: 3 } }, { text: 'whole' }],
  })
  const frames = await framesOf(roundFromBefore(u))
  const pulses = pulsesIn(frames)
  const reset = pulses.findIndex((pulse) => pulse.type === 'reset')
  const textOfPulses = (some: Pulse[]) => some.map((pulse) => (pulse.type === 'delta' ? pulse.text : '')).join('')
  expect(textOfPulses(pulses.slice(0, reset))).toBe('hal')
  expect(pulses[reset]).toMatchObject({ turn: 1, reason: 'the stream was cut' })
  expect(pulses[reset + 1]).toMatchObject({ offset: 0 })
  expect(textOfPulses(pulses.slice(reset))).toBe('whole')
})

verifies('COO-1', 'the retry is in the log before its reset is shown', async () => {
  const u = await segnoUnderTest({
    turns: [{ text: 'half', deltaChars: 1, fault: { kind: 'cut', afterDeltas: 3 } }, { text: 'whole' }],
  })
  const frames = await framesOf(roundFromBefore(u))
  const retried = frames.findIndex((frame) => frame.kind === 'event' && frame.event.type === 'turn.retried')
  const reset = frames.findIndex((frame) => frame.kind === 'pulse' && frame.pulse.type === 'reset')
  expect(retried).toBeGreaterThan(-1)
  expect(reset).toBeGreaterThan(retried)
})

test('who joins after a reset gets only the new text', async () => {
  const u = await segnoUnderTest({
    turns: [
      { text: 'old', fault: { kind: 'cut', afterDeltas: 1 } },
      { text: 'new', fault: { kind: 'stall', afterDeltas: 1 } },
    ],
  })
  const { requestId } = await u.send()
  const client = new WatchingClient()
  for await (const frame of u.segno.follow(u.sessionId, { requestId })) {
    client.see(frame)
    if (frame.kind === 'pulse' && frame.pulse.type === 'delta' && frame.pulse.text === 'new') break
  }
  const [first] = await framesOf(u.segno.follow(u.sessionId, { after: client.last, requestId }), () => true)
  expect(first).toMatchObject({ pulse: { offset: 0, text: 'new' } })
})

const EMOJI = 'Grüße 👋🏽 an die Familie 👨‍👩‍👧‍👦 und 𝔰𝔬 𝔴𝔢𝔦𝔱𝔢𝔯 🎉'

test('a character outside the basic plane is never split, one unit at a time', async () => {
  const u = await segnoUnderTest({ turns: [{ text: EMOJI, deltaChars: 1, delayMs: 1 }] })
  const client = new WatchingClient()
  const frames = await framesOf(roundFromBefore(u))
  frames.forEach((frame) => client.see(frame))
  expect(eventsIn(frames).map(textOf).join('')).toBe(EMOJI)
})

/** A provider that cuts its text wherever it likes. */
const inUnits = (model: LanguageModelV4): LanguageModelV4 => ({
  ...model,
  async doStream(options) {
    const { stream } = await model.doStream(options)
    const split = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform(part, controller) {
        if (part.type !== 'text-delta') return controller.enqueue(part)
        for (let i = 0; i < part.delta.length; i++) controller.enqueue({ ...part, delta: part.delta.charAt(i) })
      },
    })
    return { stream: stream.pipeThrough(split) }
  },
})

test('a provider that splits a pair does not make its followers see half of one', async () => {
  const u = await segnoUnderTest({ turns: [{ text: EMOJI, deltaChars: 5, delayMs: 1 }], model: inUnits })
  const client = new WatchingClient()
  const frames = await framesOf(roundFromBefore(u))
  frames.forEach((frame) => client.see(frame))
  expect(eventsIn(frames).map(textOf).join('')).toBe(EMOJI)
})

test('the deltas of reasoning and arguments add up as well', async () => {
  const args = { where: 'here', deep: { list: [1, 2, 3] } }
  const turn = { reasoning: 'Let me think about it.', text: 'So.', calls: [{ name: 'look', args }] }
  const u = await segnoUnderTest({ turns: [{ ...turn, deltaChars: 2, argDeltas: 9, delayMs: 1 }] })
  const built = new Map<string, string>()
  for (const pulse of pulsesIn(await framesOf(roundFromBefore(u)))) {
    if (pulse.type !== 'delta' || pulse.turn !== 1) continue
    const before = built.get(pulse.kind) ?? ''
    expect(pulse.offset).toBe(before.length)
    built.set(pulse.kind, before + pulse.text)
  }
  expect(built.get('reasoning')).toBe(turn.reasoning)
  expect(JSON.parse(built.get('args') ?? '')).toEqual(args)
})

verifies('REL-5', 'a slow reader of a fast model holds few frames', async () => {
  const text = 'x'.repeat(50_000)
  const u = await segnoUnderTest({ turns: [{ text, deltaChars: 1 }] })
  const { requestId, completion } = await u.send()
  const frames: Frame[] = []
  for await (const frame of u.segno.follow(u.sessionId, { requestId })) {
    frames.push(frame)
    if (frames.length === 1) await completion
    await setTimeout(1)
  }
  expect(frames.length).toBeLessThan(40)
  expect(eventsIn(frames).map(textOf).join('')).toBe(text)
})
