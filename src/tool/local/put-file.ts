import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { link, lstat, open, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from './file-problem.ts'
import { kindFault } from './open-file.ts'

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Replaces or creates a file; readers see the old or the new one, never a part. */
export async function overwriteAt(place: string, bytes: Uint8Array, name: string, signal: AbortSignal): Promise<void> {
  const before = await statsOf(place)
  const fault = before && kindFault(before, name)
  if (fault) throw fault
  await viaTemporary(place, bytes, signal, before?.mode, (temporary) => rename(temporary, place))
}

/** Creates a complete file; an existing one is not touched, even if it was made at the same moment. */
export async function createAt(place: string, bytes: Uint8Array, name: string, signal: AbortSignal): Promise<void> {
  if (await statsOf(place)) throw new Error(`"${name}" exists already.`)
  await viaTemporary(place, bytes, signal, undefined, async (temporary) => {
    await link(temporary, place)
    await unlink(temporary)
  })
}

export async function appendTo(place: string, bytes: Uint8Array, name: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await using file = await open(place, APPEND)
  const stats = await file.stat()
  const fault = kindFault(stats, name)
  if (fault) throw fault
  // The file may have a second name outside the workspace, as in package caches.
  if (stats.nlink > 1) throw new Error(`"${name}" has further hard links; overwrite it instead of appending.`)
  await file.writeFile(bytes)
  await file.sync()
}

async function viaTemporary(
  place: string,
  bytes: Uint8Array,
  signal: AbortSignal,
  mode: number | undefined,
  settle: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(place), `.segno-${randomUUID()}.tmp`)
  try {
    await using file = await open(temporary, NEW)
    if (mode !== undefined) await file.chmod(mode & 0o777)
    await file.writeFile(bytes)
    await file.sync()
    signal.throwIfAborted()
    await settle(temporary)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

/** undefined if nothing is there */
async function statsOf(place: string): Promise<Stats | undefined> {
  return lstat(place).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
}
