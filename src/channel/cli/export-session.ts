import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../../contract/problem.ts'
import { findSession } from './find-session.ts'
import type { Reached } from './reach.ts'

/** A whole session as text, as it comes. */
export async function* exportedSession(reached: Reached, id: string, as: string): AsyncGenerator<string> {
  const { id: whole } = await findSession(reached, id)
  const { body } = await reached.ask('GET', `/api/sessions/${whole}/export?as=${as}`)
  if (!body) return
  const input = Readable.fromWeb(body as never).setEncoding('utf8')
  try {
    yield* input as AsyncIterable<string>
  } finally {
    // Who stops reading early must not leave it reading from a store that is about to close.
    input.destroy()
  }
}

/** What is in it is private: only its owner may read the file. */
export async function saveTo(file: string, texts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(texts, createWriteStream(file, { mode: 0o600 }))
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem('VALIDATION_ERROR', `${file} cannot be written: ${(cause as Error).message}.`, { cause })
  }
}
