import { realpathSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { LOCAL_TENANT } from '../contract/actor.ts'
import type { UsableFolder, Workspace } from '../contract/workspace.ts'
import { sha256 } from '../lib/hash.ts'
import { isInside } from '../lib/is-inside.ts'
import { belongsToSystem } from '../lib/system-folders.ts'

export interface FolderOptions {
  readonly home: string
  /** the folder of the system workspace of the local tenant, which is its root */
  readonly folder: string
  /** where else folders of a tenant may lie (SEGNO_FOLDER_ROOTS) */
  readonly roots: ReadonlyMap<string, readonly string[]>
  /** the tenant a workspace belongs to */
  tenantOf(workspaceId: string): Promise<string | undefined>
}

/** A folder and on whose behalf it would be touched. */
export type Claimed = Pick<Workspace, 'id' | 'tenant' | 'folder' | 'folderByOwner'>

/** Which folders of this machine the tools of a tenant may touch. Nothing is remembered: what is true now may not be soon. */
export interface FolderRules {
  /** where the system workspace of a tenant is, and other workspaces may be */
  rootOf(tenant: string): string
  /** all roots of a tenant, as they were named */
  rootsOf(tenant: string): readonly string[]
  /** where Segno puts the folder of a workspace for which nobody named one */
  placeOf(workspaceId: string): string
  look(claimed: Claimed): Promise<UsableFolder>
}

const OUTSIDE = 'lies outside the roots of its tenant'

export function createFolderRules({ home, folder: local, roots, tenantOf }: FolderOptions): FolderRules {
  const rootOf = (tenant: string): string =>
    tenant === LOCAL_TENANT ? local : join(home, 'tenants', sha256(tenant).slice(0, 32))
  const placeOf = (workspaceId: string): string => join(home, 'workspaces', workspaceId)
  const listed = (tenant: string): readonly string[] => roots.get(tenant) ?? []

  /** Without links. Where Segno keeps its own data it reads at once, as it does with its database; any other disk may be slow. */
  const real = async (path: string): Promise<string> =>
    isInside(home, path) ? realpathSync.native(path) : realpath(path)

  /** What is not there yet is where it would be. */
  const realPlace = (path: string): Promise<string> => real(path).catch(() => resolve(path))

  /** Its database is open there: it stays where it is. */
  let realHome: Promise<string> | undefined

  /** Why nobody may touch a real path on behalf of this workspace; undefined if they may. */
  async function fault(path: string, { id, tenant, folder, folderByOwner }: Claimed): Promise<string | undefined> {
    const ownHome = await (realHome ??= realPlace(home))
    if (isInside(path, ownHome)) return "holds Segno's own data (SEGNO_HOME)"
    const isOwn = folder === rootOf(tenant) || isInside(await realPlace(rootOf(tenant)), path)
    if (isInside(ownHome, path))
      return isOwn || (await isMade(path, id, tenant)) ? undefined : 'belongs to Segno itself (SEGNO_HOME)'
    if (belongsToSystem(path)) return 'belongs to the system'
    const others = await Promise.all(rootsOfOthers(tenant).map(realPlace))
    if (others.some((root) => isInside(root, path) || isInside(path, root))) return OUTSIDE
    if (isOwn || (folderByOwner && tenant === LOCAL_TENANT)) return undefined
    const ours = await Promise.all(listed(tenant).map(realPlace))
    return ours.some((root) => isInside(root, path)) ? undefined : OUTSIDE
  }

  /** Is this in the folder that Segno made for this workspace, or for another one of the same tenant? */
  async function isMade(path: string, workspaceId: string, tenant: string): Promise<boolean> {
    const all = await realPlace(placeOf(''))
    if (!isInside(all, path)) return false
    const [id = ''] = relative(all, path).split(sep)
    return id === workspaceId || (id !== '' && (await tenantOf(id)) === tenant)
  }

  function rootsOfOthers(tenant: string): string[] {
    const named = [...roots].flatMap(([one, paths]) => (one === tenant ? [] : paths))
    return tenant === LOCAL_TENANT ? named : [...named, local]
  }

  return {
    rootOf,
    placeOf,
    rootsOf: (tenant) => [rootOf(tenant), ...listed(tenant)],
    async look(claimed) {
      const { folder } = claimed
      const isPath = isAbsolute(folder) && !folder.includes('\0')
      const path = isPath ? await real(folder).catch(() => undefined) : undefined
      if (path === undefined) return { refused: 'The folder of this workspace does not exist.' }
      const why = await fault(path, claimed)
      if (why === undefined) return { path }
      return {
        refused:
          `The folder of this workspace ${why}, so no tool may touch it. ` +
          'It must be under a root of its tenant: choose another folder, or let who runs Segno list one in SEGNO_FOLDER_ROOTS.',
      }
    },
  }
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
