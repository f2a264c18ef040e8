import { realpath, stat } from 'node:fs/promises'

/** Nobody's workspace: to make one of these writable for a command would be a mistake in the settings. */
const NEVER = ['/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/opt', '/proc', '/root', '/run', '/sbin', '/srv']
const NEVER_AT_ALL = ['/', ...NEVER, '/sys', '/tmp', '/usr', '/var', '/var/lib', '/var/tmp', '/usr/local']
/** Not even something inside. */
const NEVER_INSIDE = ['/boot/', '/dev/', '/etc/', '/proc/', '/run/', '/sys/']

export interface CheckedFolder {
  /** without links */
  readonly path: string
  readonly uid: number
  readonly gid: number
}

/** The real place of a workspace. `hidden` must not be inside it: a command could read and change it. */
export async function checkFolder(folder: string, hidden: readonly string[]): Promise<CheckedFolder> {
  const path = await realpath(folder).catch(() => {
    throw new Error('The folder of this workspace does not exist.')
  })
  const stats = await stat(path)
  if (!stats.isDirectory()) throw new Error('The folder of this workspace is not a folder.')
  if (NEVER_AT_ALL.includes(path) || NEVER_INSIDE.some((place) => path.startsWith(place))) {
    throw new Error('The folder of this workspace belongs to the system: commands run only in a folder of their own.')
  }
  if (hidden.some((place) => place === path || place.startsWith(`${path}/`))) {
    throw new Error("The folder of this workspace holds Segno's own data: commands run only in a folder without it.")
  }
  return { path, uid: stats.uid, gid: stats.gid }
}
