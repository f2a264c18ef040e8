import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { markOf, startPlayingServer } from '../../recordings/playing-server.ts'
import { readRecording } from '../../recordings/read-recording.ts'
import { framesOf } from '../../recordings/sse.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'

const STREAMS = join(import.meta.dirname, '../../recordings/streams')

/** Whoever says this hears the recording. */
export const PLAY = markOf(1)

/** A stage whose model is the provider of a recording. */
export async function openRecorded(name: string, { env, ...options }: StageOptions = {}): Promise<Stage> {
  const recording = readRecording(join(STREAMS, `${name}.chunks.txt`))
  const provider = await startPlayingServer()
  onTestFinished(() => provider.close())
  provider.add(PLAY, () => ({ pieces: framesOf(recording), ending: 'end' }))
  const model = `${recording.provider}:${recording.modelId}`
  return openStage({ ...options, env: { ...provider.env, SEGNO_MODEL: model, ...env } })
}
