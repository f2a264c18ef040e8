import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isInside } from '../../lib/is-inside.ts'
import { normalisePath } from '../normalise.ts'
import { codeOf, fileProblem } from './file-problem.ts'

/** As long as a path of a system can be. */
export const LONGEST_PATH = 4096

/** A path among the arguments of a tool. */
export const PATH_INPUT = { type: 'string', minLength: 1, maxLength: LONGEST_PATH } as const

/**
 * The real place of a path inside a folder, whether or not something is there yet; rejects when it is anywhere else.
 * Every link on the way is followed and checked. Backslashes count as slashes, and `a/../b` is `b` even where `a` is a
 * link: two paths that compare as equal calls are then the same file.
 *
 * What is true now need not be true at the next system call: files are opened through `in-folder.ts`, which lets no
 * link in any more.
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
      // First of all: what is out there is nobody's business, not even whether it is a folder.
      if (!isInside(root, real)) throw outside(path)
      if (fault !== undefined) throw fault
      return join(real, ...missing.reverse())
    }
    fault ??= await faultOf(existing, path, real)
    missing.push(basename(existing))
    existing = dirname(existing)
  }
}

/** Refuses by words alone what leaves the folder, so that nobody learns what exists out there. */
function lexicalPlace(folder: string, root: string, path: string): string {
  const slashed = normalisePath(path)
  if (!isAbsolute(slashed)) {
    const place = resolve(root, slashed)
    if (isInside(root, place)) return place
    throw outside(path)
  }
  // The folder itself may have been given by way of a link.
  const base = [root, resolve(folder)].find((one) => isInside(one, slashed))
  if (base === undefined) throw outside(path)
  return resolve(root, relative(base, slashed))
}

/** Why a place cannot be used; undefined when simply nothing is there yet. */
async function faultOf(place: string, path: string, error: unknown): Promise<Error | undefined> {
  if (codeOf(error) !== 'ENOENT') return fileProblem(error, `"${path}"`)
  // A link to nothing is something: to write there would create what it points to. Anything else has come just now.
  const isLink = await lstat(place).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )
  return isLink ? new Error(`"${path}" is or passes through a link to something that does not exist.`) : undefined
}

function outside(path: string): Error {
  return new Error(`"${path}" is outside the folder of this workspace.`)
}
