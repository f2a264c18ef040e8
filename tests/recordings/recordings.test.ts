import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import { expectedRuns, inTheseWords, readExpected } from './expected.ts'
import { readRecording, recordingFiles } from './read-recording.ts'
import { replayOne } from './replay-one.ts'
import { openStage, type Stage } from './stage.ts'

const files = recordingFiles(fileURLToPath(new URL('streams', import.meta.url)))
const played = files.map((file) => ({ recording: readRecording(file), expected: readExpected(file) }))
const notOffered = new Set(played.flatMap(({ expected }) => expected?.notOffered ?? []))

let stage: Stage
beforeAll(async () => {
  const called = played.flatMap(({ recording }) => recording.contents.calls.map(({ name }) => name))
  stage = await openStage({ tools: called.filter((name) => !notOffered.has(name)) })
})
afterAll(() => stage.close())

describe('a recorded stream comes out as its provider meant it, and the session goes on', () => {
  for (const { recording, expected } of played) {
    test(recording.name, async () => {
      if (!expected) throw new Error(`${recording.name} has no expectation beside it`)
      const { done, notOffered: _, ...wanted } = expected
      const replayed = await replayOne(stage, recording, { protocol: 'unified', ...(done !== undefined && { done }) })
      expect(inTheseWords(replayed, expected)).toEqual({ ...wanted, runs: expectedRuns(expected) })
      expect(replayed.troubles).toEqual([])
    })
  }
})

test('in a triggered round the first call is the only one, and the session goes on as well', async () => {
  const troubles: string[] = []
  for (const { recording, expected } of played) {
    const replayed = await replayOne(stage, recording, { protocol: 'triggered' })
    troubles.push(...replayed.troubles.map((trouble) => `${recording.name}: ${trouble}`))
    const most = expected?.fails ? 0 : Math.min(1, expected ? expectedRuns(expected) : 1)
    if (replayed.runs > most) troubles.push(`${recording.name}: ${replayed.runs} calls were carried out`)
  }
  expect(troubles).toEqual([])
}, 60_000)
