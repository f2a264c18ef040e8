import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inFolder } from './in-folder.ts'

// Without O_NONBLOCK, opening a pipe would block a thread until somebody opens its other end.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens the regular file `real`, a path from `confine`, for reading; `name` is used in messages. */
export async function openFile(root: string, real: string, name: string, signal: AbortSignal): Promise<FileHandle> {
  if (real === root) throw new Error(`"${name}" is a folder.`)
  const handle = await inFolder(root, dirname(real), (base) => open(join(base, basename(real)), READ), { signal })
  const fault = kindFault(await handle.stat(), name)
  if (fault === undefined) return handle
  await handle.close()
  throw fault
}

/** Why something is no file that can be read or written. */
export function kindFault(stats: { isFile(): boolean; isDirectory(): boolean }, name: string): Error | undefined {
  if (stats.isFile()) return undefined
  return new Error(stats.isDirectory() ? `"${name}" is a folder.` : `"${name}" is not a regular file.`)
}
