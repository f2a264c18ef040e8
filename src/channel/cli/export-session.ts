import { lstat, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../../contract/problem.ts'
import { findSession } from './find-session.ts'
import type { Reached } from './reach.ts'
import { textIn } from './text-in.ts'

const TYPES = { markdown: 'text/markdown', jsonl: 'application/x-ndjson' } as const
export type ExportForm = keyof typeof TYPES

export async function* exportedSession(reached: Reached, id: string, as: ExportForm): AsyncGenerator<string> {
  const { id: whole } = await findSession(reached, id)
  yield* textIn(await reached.client.exportSession(whole, as), TYPES[as])
}

/** Writes a file that only its owner may read. An existing file is replaced only with `force`, by a complete one. */
export async function saveTo(file: string, texts: AsyncIterable<string>, force: boolean): Promise<void> {
  await checkPlace(file, force)
  const part = `${file}.${process.pid}.part`
  try {
    // Opened first, so that it cannot be created after it was removed.
    const handle = await open(part, 'wx', 0o600)
    await pipeline(texts, handle.createWriteStream())
    await rename(part, file)
  } catch (cause) {
    await rm(part, { force: true })
    if (cause instanceof Problem) throw cause
    throw new Problem('VALIDATION_ERROR', `${file} cannot be written: ${(cause as Error).message}.`, { cause })
  }
}

async function checkPlace(file: string, force: boolean): Promise<void> {
  const found = await lstat(file).catch(() => undefined)
  if (!found || (force && found.isFile())) return
  const what = found.isFile() ? 'is there already. Say --force to replace it' : 'is there and is no file'
  throw new Problem('VALIDATION_ERROR', `${file} ${what}, or name another one. Nothing was written.`)
}
