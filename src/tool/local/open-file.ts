import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inFolder } from './in-folder.ts'

// Without O_NONBLOCK, opening a pipe would wait for its other end and hold a thread of the pool for ever.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens a regular file at `real`, a path from `confine`, for reading; `name` is what messages call it. */
export async function openFile(root: string, real: string, name: string, signal: AbortSignal): Promise<FileHandle> {
  if (real === root) throw new Error(`"${name}" is a folder.`)
  const handle = await inFolder(root, dirname(real), (base) => open(join(base, basename(real)), READ), { signal })
  const fault = kindFault(await handle.stat(), name)
  if (fault === undefined) return handle
  await handle.close()
  throw fault
}

/** Why something is not a file that can be read or written. */
export function kindFault(stats: { isFile(): boolean; isDirectory(): boolean }, name: string): Error | undefined {
  if (stats.isFile()) return undefined
  return new Error(stats.isDirectory() ? `"${name}" is a folder.` : `"${name}" is not a regular file.`)
}
