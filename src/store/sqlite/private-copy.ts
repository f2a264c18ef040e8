import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { loopStep } from '../../lib/loop-step.ts'
import type { groupCommit } from './group-commit.ts'
import { pragma } from './layout.ts'

const STEP_BYTES = 1_024_000
const ZEROS = new Uint8Array(1 << 20)
/** Suffixes of the files SQLite may create with a database. */
const BESIDE = ['', '-wal', '-shm', '-journal']

export interface ProgressOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * A complete copy while the database is in use; changes wait for the end of a step, and SQLite updates the copied part.
 */
export async function copyTo(
  db: DatabaseSync,
  group: ReturnType<typeof groupCommit>,
  file: string,
  { signal, onProgress }: ProgressOptions = {},
): Promise<void> {
  signal?.throwIfAborted()
  await group.whilePaused(async (writeNow) => {
    await backup(db, file, {
      rate: STEP_BYTES / pragma(db, 'page_size'),
      progress({ totalPages, remainingPages }) {
        writeNow()
        signal?.throwIfAborted()
        onProgress?.(totalPages - remainingPages, totalPages)
      },
    })
  })
}

/** Snapshots can be made again, so a backup has none. */
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

/** Creates the copy's file before SQLite does, so that only its owner can ever open it. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}

export const isThere = (file: string): boolean => BESIDE.some((end) => existsSync(file + end))

/** Overwrites and removes a copy and its WAL, SHM and journal files. */
export async function eraseCopy(file: string): Promise<void> {
  for (const end of BESIDE) await eraseFile(file + end)
}

async function eraseFile(file: string): Promise<void> {
  try {
    // Removes a link itself and leaves its target alone.
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
