import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isInside } from '../../lib/is-inside.ts'
import { belongsToSystem } from '../../lib/system-folders.ts'

export interface CheckedFolder {
  /** without links */
  readonly path: string
  readonly uid: number
  readonly gid: number
  /** anybody may look into it */
  readonly isOpen: boolean
  /** what it is, whatever its path leads to later */
  readonly identity: string
  /** it lies under a root for workspaces, where Segno may give files to the user a command becomes */
  readonly isGiven: boolean
}

export interface FolderBounds {
  /** must not be inside a workspace: a command could read and change it */
  readonly hidden: readonly string[]
  /** under these, owners may be changed */
  readonly roots: readonly string[]
}

/** What is known of a folder that was judged under its real path, `folder`. */
export async function checkFolder(folder: string, { hidden, roots }: FolderBounds): Promise<CheckedFolder> {
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
  // What was judged is this very path. Where it leads elsewhere by now, somebody put a link there since.
  if (path !== folder) throw new Error('The folder of this workspace is no longer where it was.')
  const places = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))
  const isGiven = places.some((root) => isInside(root, path))
  const isOpen = (Number(stats.mode) & 0o005) === 0o005
  const identity = `${stats.dev}:${stats.ino}`
  return { path, uid: Number(stats.uid), gid: Number(stats.gid), isOpen, identity, isGiven }
}
