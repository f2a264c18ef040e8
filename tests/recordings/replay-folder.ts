import type { Protocol } from '../../src/contract/outcome.ts'
import { readRecording, recordingFiles, Unreadable, type Recording } from './read-recording.ts'
import { replayOne, type Replayed } from './replay-one.ts'
import { openStage } from './stage.ts'

export interface FolderReplay {
  readonly replayed: readonly Replayed[]
  /** sentences about files that could not be played */
  readonly unreadable: readonly string[]
}

/** Plays every recording of a folder, each in a session of its own. */
export async function replayFolder(
  folder: string,
  protocol: Protocol,
  onReplayed: (replayed: Replayed) => void = () => {},
): Promise<FolderReplay> {
  const unreadable: string[] = []
  const recordings = recordingFiles(folder).flatMap((file): Recording[] => {
    try {
      return [readRecording(file)]
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      unreadable.push(error.message)
      return []
    }
  })
  const tools = recordings.flatMap(({ contents }) => contents.calls.map(({ name }) => name))
  const stage = await openStage({ tools })
  const replayed: Replayed[] = []
  try {
    for (const recording of recordings) {
      const one = await replayOne(stage, recording, { protocol })
      replayed.push(one)
      onReplayed(one)
    }
  } finally {
    await stage.close()
  }
  return { replayed, unreadable }
}
