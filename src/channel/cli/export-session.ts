import { createWriteStream } from 'node:fs'
import { lstat, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../../contract/problem.ts'
import { findSession } from './find-session.ts'
import { textIn } from './read-answer.ts'
import type { Reached } from './reach.ts'

const TYPES = { markdown: 'text/markdown', jsonl: 'application/x-ndjson' } as const
export type ExportForm = keyof typeof TYPES

/** A whole session as text, as it comes. */
export async function* exportedSession(reached: Reached, id: string, as: ExportForm): AsyncGenerator<string> {
  const { id: whole } = await findSession(reached, id)
  const input = textIn(await reached.ask('GET', `/api/sessions/${whole}/export?as=${as}`), TYPES[as])
  try {
    yield* input as AsyncIterable<string>
  } finally {
    // Who stops reading early must not leave it reading from a store that is about to close.
    input.destroy()
  }
}

/**
 * The whole text in a file that only its owner may read: what is in it is private. It is written beside its place and
 * put there when it is complete, so that a file that was there is lost only to a whole one, and only by `force`.
 */
export async function saveTo(file: string, texts: AsyncIterable<string>, force: boolean): Promise<void> {
  await checkPlace(file, force)
  const part = `${file}.${process.pid}.part`
  try {
    await pipeline(texts, createWriteStream(part, { mode: 0o600, flags: 'wx' }))
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
