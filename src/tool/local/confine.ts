import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isInside } from '../../lib/is-inside.ts'
import { normalisePath } from '../normalise.ts'
import { codeOf, fileProblem } from './file-problem.ts'

/** The longest path a system allows. */
export const LONGEST_PATH = 4096

/** The schema of a path argument. */
export const PATH_INPUT = { type: 'string', minLength: 1, maxLength: LONGEST_PATH } as const

/**
 * The real path of a place inside a folder, which need not exist yet; rejects if it is outside. All links are followed
 * and checked. Backslashes are slashes, and `a/../b` is `b` even if `a` is a link, so that equal calls mean the same
 * file. Links may change afterwards, so files are opened with `in-folder.ts`, which refuses them.
 */
export async function confine(folder: string, path: string, signal: AbortSignal): Promise<string> {
  if (path.length > LONGEST_PATH) throw new Error(`A path has at most ${LONGEST_PATH} characters, not ${path.length}.`)
  if (path.includes('\0')) throw new Error('A path cannot contain a NUL character.')
  const root = await realpath(folder).catch((error: unknown) => {
    throw fileProblem(error, 'The folder of this workspace')
  })
  let existing = lexicalPlace(folder, root, path)
  const missing: string[] = []
  let fault: Error | undefined
  for (;;) {
    signal.throwIfAborted()
    const real = await realpath(existing).catch((error: unknown) => error)
    if (typeof real === 'string') {
      // First, so that nobody learns what exists outside.
      if (!isInside(root, real)) throw outside(path)
      if (fault !== undefined) throw fault
      return join(real, ...missing.reverse())
    }
    fault ??= await faultOf(existing, path, real)
    missing.push(basename(existing))
    existing = dirname(existing)
  }
}

/** Works at the real path of a place; errors name it as the caller does. */
export async function atPath<T>(
  path: string,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
  work: (real: string) => Promise<T>,
): Promise<T> {
  try {
    return await work(await confine(folder, path, signal))
  } catch (error) {
    throw fileProblem(error, `"${path}"`)
  }
}

/** Refuses paths that leave the folder without looking at the disk, so that nobody learns what exists outside. */
function lexicalPlace(folder: string, root: string, path: string): string {
  const slashed = normalisePath(path)
  if (!isAbsolute(slashed)) {
    const place = resolve(root, slashed)
    if (isInside(root, place)) return place
    throw outside(path)
  }
  // The folder itself may have been given through a link.
  const base = [root, resolve(folder)].find((one) => isInside(one, slashed))
  if (base === undefined) throw outside(path)
  return resolve(root, relative(base, slashed))
}

/** Why a place cannot be used; undefined if it just does not exist yet. */
async function faultOf(place: string, path: string, error: unknown): Promise<Error | undefined> {
  if (codeOf(error) !== 'ENOENT') return fileProblem(error, `"${path}"`)
  // Writing through a dangling link would create its target.
  const isLink = await lstat(place).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )
  return isLink ? new Error(`"${path}" is or passes through a link to something that does not exist.`) : undefined
}

function outside(path: string): Error {
  return new Error(`"${path}" is outside the folder of this workspace.`)
}
