import type { MadeFile } from '../contract/message.ts'
import { sha256 } from '../lib/hash.ts'
import type { TurnResult } from '../model/index.ts'
import type { Blob } from '../store/index.ts'
import { takeFiles, type FileLimits } from '../tool/index.ts'

/** The files that a model made, as they are stored with its answer, and why some are not. */
export function madeFiles(
  made: TurnResult['made'] = [],
  limits: FileLimits,
): { files: MadeFile[]; blobs: Blob[]; leftOut: string[] } {
  const files: MadeFile[] = []
  const blobs: Blob[] = []
  const leftOut: string[] = []
  for (const { meta, ...one } of made) {
    const room = { ...limits, resultFiles: limits.resultFiles - files.length }
    const taken = takeFiles([one], room)
    leftOut.push(...taken.leftOut)
    for (const { mediaType, data } of taken.files) {
      const hash = sha256(data)
      blobs.push({ hash, bytes: data })
      files.push({ type: 'file', mediaType, hash, bytes: data.length, ...(meta && { meta }) })
    }
  }
  return { files, blobs, leftOut }
}
