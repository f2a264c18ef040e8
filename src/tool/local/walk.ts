import { opendir } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { codeOf } from './file-problem.ts'
import { inFolder } from './in-folder.ts'

/** More entries of one folder are not read, to save memory. */
const MOST_IN_FOLDER = 20_000

export interface Entry {
  /** relative to the root, with slashes */
  readonly path: string
  readonly real: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

export interface WalkOptions {
  readonly root: string
  /** a path from `confine` */
  readonly start: string
  /** 1: only the folder itself */
  readonly depth: number
  readonly signal: AbortSignal
  readonly enter?: (name: string) => boolean
  /** Called with each folder that could not be read completely. */
  readonly partly: (path: string) => void
}

/** Everything below a folder, level by level and sorted; links are listed but not followed. */
export async function* walk(options: WalkOptions): AsyncGenerator<Entry> {
  const { root, signal, depth, enter = () => true } = options
  let level = [options.start]
  for (let at = 1; at <= depth && level.length > 0; at += 1) {
    const below: string[] = []
    for (const real of level) {
      signal.throwIfAborted()
      for (const entry of await entriesOf(real, options)) {
        const found = { real: join(real, entry.name), kind: kindOf(entry) }
        yield { ...found, path: relative(root, found.real).split(sep).join('/') }
        if (found.kind === 'folder' && enter(entry.name)) below.push(found.real)
      }
    }
    level = below
  }
}

async function entriesOf(real: string, options: WalkOptions): Promise<Dirent[]> {
  const { root, start, signal, partly } = options
  const entries: Dirent[] = []
  try {
    const read = async (base: string): Promise<void> => {
      for await (const entry of await opendir(base)) {
        signal.throwIfAborted()
        if (entries.length === MOST_IN_FOLDER) {
          partly(relative(root, real))
          break
        }
        entries.push(entry)
      }
    }
    await inFolder(root, real, read, { signal })
  } catch (error) {
    // A folder may disappear meanwhile or be unreadable; the rest is still shown.
    if (signal.aborted || real === start || codeOf(error) === undefined) throw error
    partly(relative(root, real))
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}
