import { realpathSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { LOCAL_TENANT } from '../contract/actor.ts'
import type { UsableFolder, Workspace } from '../contract/workspace.ts'
import { sha256 } from '../lib/hash.ts'
import { isInside } from '../lib/is-inside.ts'
import { belongsToSystem } from '../lib/system-folders.ts'
import type { ProveShared } from './shared-roots.ts'

export interface FolderOptions {
  readonly home: string
  /** the local tenant's root and the folder of its system workspace */
  readonly folder: string
  /** further roots of tenants (SEGNO_FOLDER_ROOTS) */
  readonly roots: ReadonlyMap<string, readonly string[]>
  /** in a cluster: is this node's root the shared one? */
  readonly isShared?: ProveShared | undefined
  tenantOf(workspaceId: string): Promise<string | undefined>
}

/** A folder and the workspace it is used for. */
type FolderClaim = Pick<Workspace, 'id' | 'tenant' | 'folder' | 'folderByOwner'>

const OUTSIDE = 'lies outside the roots of its tenant'

/** Which folders the tools of a tenant may touch; nothing is cached, because the disk may change. */
export function createFolderRules({ home, folder: local, roots, tenantOf, isShared }: FolderOptions) {
  /** The folder of the tenant's system workspace, which others may be in. */
  const rootOf = (tenant: string): string =>
    tenant === LOCAL_TENANT ? local : join(home, 'tenants', sha256(tenant).slice(0, 32))
  /** The default folder of a workspace. */
  const defaultFolder = (workspaceId: string): string => join(home, 'workspaces', workspaceId)
  const listed = (tenant: string): readonly string[] => roots.get(tenant) ?? []

  /** Resolves links; under Segno's own home synchronously, because other disks may be slow. */
  const real = async (path: string): Promise<string> =>
    isInside(home, path) ? realpathSync.native(path) : realpath(path)

  /** A missing path resolves to itself. */
  const realOrSame = (path: string): Promise<string> => real(path).catch(() => resolve(path))

  /** Cached, because the open database keeps it in place. */
  let realHome: Promise<string> | undefined

  /** Why a real path may not be touched for this workspace; undefined if it may. */
  async function fault(path: string, { id, tenant, folder, folderByOwner }: FolderClaim): Promise<string | undefined> {
    const ownHome = await (realHome ??= realOrSame(home))
    if (isInside(path, ownHome)) return "holds Segno's own data (SEGNO_HOME)"
    const isOwn = folder === rootOf(tenant) || isInside(await realOrSame(rootOf(tenant)), path)
    if (isInside(ownHome, path))
      return isOwn || (await isMadeBySegno(path, id, tenant)) ? undefined : 'belongs to Segno itself (SEGNO_HOME)'
    if (belongsToSystem(path)) return 'belongs to the system'
    const others = await Promise.all(rootsOfOthers(tenant).map(realOrSame))
    if (others.some((root) => isInside(root, path) || isInside(path, root))) return OUTSIDE
    if (isOwn || (folderByOwner && tenant === LOCAL_TENANT)) return undefined
    const ours = await Promise.all(listed(tenant).map(realOrSame))
    return ours.some((root) => isInside(root, path)) ? undefined : OUTSIDE
  }

  /** Whether it is inside a folder that Segno made for a workspace of this tenant. */
  async function isMadeBySegno(path: string, workspaceId: string, tenant: string): Promise<boolean> {
    const all = await realOrSame(defaultFolder(''))
    if (!isInside(all, path)) return false
    const [id = ''] = relative(all, path).split(sep)
    return id === workspaceId || (id !== '' && (await tenantOf(id)) === tenant)
  }

  /** The root a folder is under, with a name that is the same on every node. */
  async function namedRoot(path: string, { tenant, folder }: FolderClaim): Promise<[name: string, root: string]> {
    const own: [string, string][] = [
      ['workspace', local],
      ['tenants', join(home, 'tenants')],
      ['workspaces', defaultFolder('')],
    ]
    for (const [name, root] of [...own, ...listed(tenant).map((one): [string, string] => [one, one])]) {
      const place = await realOrSame(root)
      if (isInside(place, path)) return [name, place]
    }
    return [folder, path]
  }

  function rootsOfOthers(tenant: string): string[] {
    const named = [...roots].flatMap(([one, paths]) => (one === tenant ? [] : paths))
    return tenant === LOCAL_TENANT ? named : [...named, local]
  }

  async function find(claim: FolderClaim): Promise<UsableFolder> {
    const { folder } = claim
    const isPath = isAbsolute(folder) && !folder.includes('\0')
    const path = isPath ? await real(folder).catch(() => undefined) : undefined
    if (path === undefined) return { refused: 'The folder of this workspace does not exist.' }
    const why = await fault(path, claim)
    if (why === undefined) return { path }
    return {
      refused:
        `The folder of this workspace ${why}, so no tool may touch it. ` +
        'It must be under a root of its tenant: choose another folder, or let who runs Segno list one in SEGNO_FOLDER_ROOTS.',
    }
  }

  return {
    rootOf,
    defaultFolder,
    rootsOf: (tenant: string): readonly string[] => [rootOf(tenant), ...listed(tenant)],
    find,
    /** Like `find`, and in a cluster only if the other nodes share the folder. */
    async usable(claim: FolderClaim): Promise<UsableFolder> {
      const found = await find(claim)
      if (!isShared || !('path' in found)) return found
      const refused = await isShared(...(await namedRoot(found.path, claim)))
      return refused === undefined ? found : { refused }
    },
  }
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
