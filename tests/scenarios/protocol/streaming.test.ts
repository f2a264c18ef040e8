import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect } from 'vitest'
import type { Frame } from '../../../src/stream/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const TEXT = 'First I look at the file, then I tell you.'

/** Everything a follower sees of one round, in order. */
async function framesOf(opening: Opening, protocol: 'unified' | 'triggered') {
  const under = await segnoUnderTest(opening)
  const frames: Frame[] = []
  const watching = (async () => {
    for await (const frame of under.segno.follow(under.sessionId)) {
      frames.push(frame)
      if (frame.kind === 'event' && frame.event.type === 'round.ended') return
    }
  })()
  const { events } = await under.ask('Go.', { protocol })
  await watching
  return { frames, events }
}

const deltas = (frames: Frame[], kind: string) =>
  frames.flatMap((frame, at) =>
    frame.kind === 'pulse' && frame.pulse.type === 'delta' && frame.pulse.kind === kind
      ? [{ at, turn: frame.pulse.turn, callId: frame.pulse.callId, text: frame.pulse.text }]
      : [],
  )
const indexOf = (frames: Frame[], type: string) =>
  frames.findIndex((frame) => frame.kind === 'event' && frame.event.type === type)

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('ORC-1', `${protocol}: streams the text before a call while the turn still runs`, async () => {
    const { frames } = await framesOf(
      {
        tools: [probe('look')],
        turns: [{ text: TEXT, calls: [{ name: 'look' }], delayMs: 1, deltaChars: 5 }, { text: 'Told.' }],
      },
      protocol,
    )
    const shown = deltas(frames, 'text').filter(({ turn }) => turn === 1)
    expect(shown.map(({ text }) => text).join('')).toBe(TEXT)
    expect(shown.length).toBeGreaterThan(1)
    expect(shown.at(-1)?.at).toBeLessThan(indexOf(frames, 'message.assistant'))
    expect(indexOf(frames, 'message.assistant')).toBeLessThan(indexOf(frames, 'tool.call'))
  })

  for (const argDeltas of [1, 9, 1000]) {
    const many = `${argDeltas} delta${argDeltas > 1 ? 's' : ''}`
    verifies('ORC-2', `${protocol}: runs a call whose arguments come in ${many} once, with all of them`, async () => {
      const args = { path: 'a/"b"', lines: [1, 2, { to: 3 }], text: 'é😀' }
      const tool = probe('look')
      const { frames } = await framesOf(
        { tools: [tool], turns: [{ calls: [{ name: 'look', args }], argDeltas, delayMs: 1 }, { text: 'Told.' }] },
        protocol,
      )
      expect(tool.runs.map((run) => run.args)).toEqual([args])
      const pieces = deltas(frames, 'args')
      expect(pieces.map(({ text }) => text).join('')).toBe(JSON.stringify(args))
      expect(pieces.at(-1)?.at).toBeLessThan(indexOf(frames, 'tool.call'))
    })
  }
}

verifies('ORC-2', 'keeps the arguments of two calls apart when their deltas come mixed', async () => {
  const tool = probe('look')
  const calls = [
    { name: 'look', args: { which: 'first one' } },
    { name: 'look', args: { which: 'second one' } },
  ]
  const { frames, events } = await framesOf(
    { tools: [tool], model: mixed, turns: [{ calls, argDeltas: 6 }, { text: 'Told.' }] },
    'unified',
  )
  expect(tool.runs.map((run) => run.args)).toEqual([{ which: 'first one' }, { which: 'second one' }])
  for (const { callId, args } of said(events, 'tool.call')) {
    const pieces = deltas(frames, 'args').filter((piece) => piece.callId === callId)
    expect(pieces.map(({ text }) => text).join('')).toBe(JSON.stringify(args))
  }
})

/** Sends all starts, then the deltas of all calls in turns, then all ends. */
function mixed(scripted: LanguageModelV4): LanguageModelV4 {
  const rank = (part: LanguageModelV4StreamPart) =>
    ['stream-start', 'tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call', 'finish'].indexOf(part.type)
  return {
    ...scripted,
    async doStream(options) {
      const { stream } = await scripted.doStream(options)
      const parts = await Array.fromAsync(stream)
      const turnOf = new Map<LanguageModelV4StreamPart, number>()
      const seen = new Map<string, number>()
      for (const part of parts) {
        if (part.type !== 'tool-input-delta') continue
        turnOf.set(part, seen.get(part.id) ?? 0)
        seen.set(part.id, (seen.get(part.id) ?? 0) + 1)
      }
      if (seen.size < 2) return { stream: ReadableStream.from(parts) }
      const order = (part: LanguageModelV4StreamPart) => rank(part) * 1000 + (turnOf.get(part) ?? 0)
      return { stream: ReadableStream.from(parts.toSorted((a, b) => order(a) - order(b))) }
    },
  }
}
