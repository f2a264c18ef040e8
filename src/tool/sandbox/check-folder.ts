import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isInside } from '../../lib/is-inside.ts'
import { belongsToSystem } from '../../lib/system-folders.ts'

export interface FolderBounds {
  /** must not be inside a workspace, because a command could read and change it */
  readonly hidden: readonly string[]
  /** under these, owners may be changed */
  readonly roots: readonly string[]
}

/** Checks that a folder may be a workspace of commands; `folder` is the real path it was judged by. */
export async function checkFolder(folder: string, { hidden, roots }: FolderBounds) {
  const path = await realpath(folder).catch(() => {
    throw new Error('The folder of this workspace does not exist.')
  })
  const stats = await stat(path, { bigint: true })
  if (!stats.isDirectory()) throw new Error('The folder of this workspace is not a folder.')
  if (belongsToSystem(path)) {
    throw new Error('The folder of this workspace belongs to the system: commands run only in a folder of their own.')
  }
  if (hidden.some((place) => place === path || place.startsWith(`${path}/`))) {
    throw new Error("The folder of this workspace holds Segno's own data: commands run only in a folder without it.")
  }
  // Otherwise somebody replaced it by a link since it was judged.
  if (path !== folder) throw new Error('The folder of this workspace is no longer where it was.')
  const places = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))
  return {
    path,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    /** whether any user may read it */
    isOpen: (Number(stats.mode) & 0o005) === 0o005,
    /** stays the same whatever its path leads to later */
    identity: `${stats.dev}:${stats.ino}`,
    /** whether it is under a root, where Segno may give files to the user of a command */
    isGiven: places.some((root) => isInside(root, path)),
  }
}
