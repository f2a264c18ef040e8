import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredEvent } from '../../src/contract/event.ts'
import { verifies } from '../support/verifies.ts'
import { converse } from './converse.ts'
import { readRecording, recordingFiles, type Recording } from './read-recording.ts'
import { framesOf } from './sse.ts'
import { openStage, type Stage } from './stage.ts'

const recordings = recordingFiles(fileURLToPath(new URL('streams', import.meta.url))).map(readRecording)

/** Those of the chat format in which something follows the first complete call. */
const going = recordings.filter(
  ({ shape, contents: { calls, endsAt = 0 } }) =>
    shape === 'chat' && calls.some(({ endedAt = Infinity }) => endedAt < endsAt),
)

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ tools: going.flatMap(({ contents }) => contents.calls.map(({ name }) => name)) })
})
afterAll(() => stage.close())

for (const recording of going) {
  verifies('PHA-3', `triggered: ${recording.name} is left at its first complete call`, async () => {
    const first = firstEnded(recording)
    const { promise: left, resolve: onLeft } = Promise.withResolvers<void>()
    const pieces = framesOf(recording).slice(0, first.endedAt + 1)
    const { events, played, runs, attempts, troubles } = await converse(stage, recording, 'triggered', () => ({
      pieces,
      // The rest is never sent, so nothing but the client can end this.
      ending: 'hold',
      onLeft,
    }))
    await left
    expect({ troubles, attempts, runs }).toEqual({
      troubles: [],
      attempts: 1,
      runs: [{ name: first.name, args: JSON.parse(first.raw) as object }],
    })
    expect(turnEnded(events, played.requestId)?.usage).toMatchObject({ estimated: true })
  })
}

test('there are such recordings of several providers', () => {
  expect(new Set(going.map(({ provider }) => provider))).toEqual(
    new Set(['openai-chat', 'deepseek', 'openai-compatible', 'mistral', 'xai']),
  )
})

verifies('PHA-2', 'a call that only started when the first was complete is traced as ignored', async () => {
  const recording = going.find(({ name }) => name === 'openai-chat-calls-several') as Recording
  const pieces = framesOf(recording).slice(0, firstEnded(recording).endedAt + 1)
  const { events, played } = await converse(stage, recording, 'triggered', () => ({ pieces, ending: 'hold' }))
  expect(turnEnded(events, played.requestId)?.ignored).toEqual([{ name: 'read_sensor', reason: 'after_first' }])
})

function firstEnded({ contents: { calls } }: Recording) {
  const [first] = calls
    .map(({ name, raw, endedAt = Infinity }) => ({ name, raw, endedAt }))
    .toSorted((a, b) => a.endedAt - b.endedAt)
  if (!first) throw new Error('there is no call')
  return first
}

function turnEnded(events: readonly StoredEvent[], requestId: string) {
  const ended = events.find((event) => event.type === 'turn.ended' && event.requestId === requestId)
  return ended?.type === 'turn.ended' ? ended.data : undefined
}
