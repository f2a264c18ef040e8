import { isAbsolute, resolve } from 'node:path'
import { isInside } from '../lib/is-inside.ts'
import { parseObject } from '../lib/parse-object.ts'
import { isSystemFolder } from '../lib/system-folders.ts'

/** Where workspace folders may lie besides SEGNO_HOME, by tenant. */
export type FolderRoots = ReadonlyMap<string, readonly string[]>

const EXPECTED = 'expected JSON such as {"acme": ["/srv/acme"]}'

/** Reads SEGNO_FOLDER_ROOTS; a root need not exist yet, because a disk may be mounted later. */
export function readFolderRoots(text: string | undefined, faults: string[]): FolderRoots {
  const roots = new Map<string, readonly string[]>()
  const fault = (what: string): void => void faults.push(`SEGNO_FOLDER_ROOTS ${what}`)
  if (!text) return roots
  const said = parseObject(text)
  if (said === undefined) fault(`cannot be read, ${EXPECTED}`)
  for (const [tenant, paths] of Object.entries(said ?? {})) {
    if (!Array.isArray(paths) || tenant === '') {
      fault(`has no list of folders for "${tenant}", ${EXPECTED}`)
      continue
    }
    const wrong = paths.filter((path) => typeof path !== 'string' || !isAbsolute(path) || path.includes('\0'))
    if (wrong.length > 0) fault(`has ${JSON.stringify(wrong[0])} for "${tenant}", expected the full path of a folder`)
    const system = paths.filter((path) => typeof path === 'string' && isSystemFolder(resolve(path)))
    if (system.length > 0) fault(`has "${String(system[0])}" for "${tenant}", which belongs to the system`)
    if (paths.some((path) => typeof path === 'string' && resolve(path) === '/'))
      fault(`has "/" for "${tenant}", which is the whole machine; name the folders that are meant`)
    roots.set(tenant, wrong.length > 0 ? [] : outermost((paths as string[]).map((path) => resolve(path))))
  }
  for (const [tenant, root, other, theirs] of overlaps(roots))
    fault(
      `gives "${root}" to "${tenant}" and "${theirs}" to "${other}": roots of two tenants cannot lie in one another`,
    )
  return roots
}

/**
 * Drops roots inside another one: whoever works in the outer root could replace the inner one by a link to any folder.
 */
function outermost(paths: readonly string[]): string[] {
  const each = [...new Set(paths)]
  return each.filter((path) => !each.some((other) => other !== path && isInside(other, path)))
}

function overlaps(roots: FolderRoots): (readonly [string, string, string, string])[] {
  const all = [...roots].flatMap(([tenant, paths]) => paths.map((path) => ({ tenant, path })))
  return all.flatMap((one) =>
    all
      .filter(({ tenant, path }) => tenant !== one.tenant && isInside(path, one.path))
      .map(({ tenant, path }) => [one.tenant, one.path, tenant, path] as const),
  )
}
