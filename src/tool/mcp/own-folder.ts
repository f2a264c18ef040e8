import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isInside } from '../../lib/is-inside.ts'
import { Misbehaviour } from './trouble.ts'

/**
 * A new folder to start a server in. Programs such as `npx` run what they find in their working folder or above, so it
 * is made in the first of these places that is outside the workspace.
 */
export function makeOwnFolder(wanted: string | undefined, workspace: string | undefined): string {
  const root = workspace === undefined ? undefined : realpathSync(workspace)
  for (const place of [wanted, tmpdir()]) {
    if (place === undefined) continue
    mkdirSync(place, { recursive: true })
    if (root !== undefined && isInside(root, realpathSync(place))) continue
    const folder = mkdtempSync(join(place, 'segno-mcp-'))
    // So that npm treats it as a project and does not read settings from above.
    mkdirSync(join(folder, 'node_modules'))
    return folder
  }
  throw new Misbehaviour('there is no place outside the workspace to start it in')
}

/** The home of the user who runs Segno; undefined if there is none, or if it is inside the workspace. */
export function safeHome(workspace: string | undefined): string | undefined {
  try {
    const home = realpathSync(userInfo().homedir)
    return workspace !== undefined && isInside(realpathSync(workspace), home) ? undefined : home
  } catch {
    return undefined
  }
}
