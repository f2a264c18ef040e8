import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { loopStep } from '../../lib/loop-step.ts'
import type { groupCommit } from './group-commit.ts'
import { pragma } from './layout.ts'

/** Long enough steps to finish soon, short enough that nobody notices them. */
const STEP_BYTES = 1_024_000
const ZEROS = new Uint8Array(1 << 20)
/** What SQLite may put beside a database. */
const BESIDE = ['', '-wal', '-shm', '-journal']

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * A complete copy while the database is in use. A step of the copy must not meet a transaction, so what is to be
 * written waits for the end of a step and is written then; SQLite brings what was copied before up to date.
 */
export async function copyTo(
  db: DatabaseSync,
  group: ReturnType<typeof groupCommit>,
  file: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<void> {
  signal?.throwIfAborted()
  await group.whileStill(async (between) => {
    await backup(db, file, {
      rate: STEP_BYTES / pragma(db, 'page_size'),
      progress({ totalPages, remainingPages }) {
        between()
        signal?.throwIfAborted()
        onProgress?.(totalPages - remainingPages, totalPages)
      },
    })
  })
}

/** A copy is kept for what cannot be made again. */
export async function leaveOutSnapshots(file: string): Promise<void> {
  const db = new DatabaseSync(file)
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL')
    const some = db.prepare('DELETE FROM snapshots WHERE key IN (SELECT key FROM snapshots LIMIT 10)')
    while (some.run().changes > 0) await loopStep()
  } finally {
    db.close()
  }
}

/** Makes the file of a copy before SQLite does: nobody but its owner can ever open it. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}

export const isThere = (file: string): boolean => BESIDE.some((end) => existsSync(file + end))

/** Overwrites a copy and removes it, with what SQLite put beside it. Nothing else has it open, or cares. */
export async function eraseCopy(file: string): Promise<void> {
  for (const end of BESIDE) await eraseFile(file + end)
}

async function eraseFile(file: string): Promise<void> {
  try {
    // A link in its place is removed, and what it points to stays as it is.
    const handle = await open(file, constants.O_WRONLY | constants.O_NOFOLLOW)
    try {
      const { size } = await handle.stat()
      for (let at = 0; at < size; at += ZEROS.length)
        await handle.write(ZEROS, 0, Math.min(ZEROS.length, size - at), at)
      await handle.datasync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    if (code !== 'ELOOP') throw error
  }
  await rm(file, { force: true })
}
