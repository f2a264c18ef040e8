import { constants, existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { isInside } from '../../lib/is-inside.ts'
import { codeOf } from './file-problem.ts'

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY
const NO_LINK = constants.O_NOFOLLOW

let handlesHavePaths: boolean | undefined

/**
 * Works in the folder `real`, a path from `confine`, inside `root`, a path without links. Somebody may have replaced a
 * folder by a link since the check, so each folder from the root on is opened relative to the handle of the one before,
 * and refused if it is a link. `base` names the last handle and stays the same folder even if it is renamed. Without
 * /proc/self/fd, a replaced folder above the last one can go unnoticed.
 */
export async function inFolder<T>(
  root: string,
  real: string,
  work: (base: string, handle: FileHandle) => Promise<T>,
  options: { readonly create?: boolean; readonly signal: AbortSignal },
): Promise<T> {
  if (!isInside(root, real)) throw gone()
  let path = root
  let handle = await open(root, FOLDER)
  try {
    // The place that was opened, which the path may no longer name.
    if ((await placeOf(handle, root)) !== root) throw gone()
    for (const step of relative(root, real).split(sep).filter(Boolean)) {
      options.signal.throwIfAborted()
      const next = join(baseOf(handle, path), step)
      if (options.create === true) await makeFolder(next)
      const below = await open(next, FOLDER | NO_LINK)
      await handle.close()
      handle = below
      path = join(path, step)
    }
    return await work(baseOf(handle, path), handle)
  } finally {
    await handle.close()
  }
}

const gone = (): Error => new Error('This place is no longer inside the folder of this workspace.')

/** Where an open folder is. */
function placeOf(handle: FileHandle, path: string): Promise<string> {
  const name = baseOf(handle, path)
  return name === path ? realpath(path) : readlink(name)
}

function baseOf(handle: FileHandle, path: string): string {
  handlesHavePaths ??= process.platform === 'linux' && existsSync('/proc/self/fd')
  return handlesHavePaths ? `/proc/self/fd/${handle.fd}` : path
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}
