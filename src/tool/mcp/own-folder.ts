import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isInside } from '../../lib/is-inside.ts'
import { Misbehaviour } from './trouble.ts'

/**
 * A folder to start a server in, in which nobody has put anything. Programs such as `npx` run what they find in the
 * folder they start in or in any above it: so it is made in the first of these places that is not in the workspace.
 */
export function makeOwnFolder(wanted: string | undefined, workspace: string | undefined): string {
  const root = workspace === undefined ? undefined : realpathSync(workspace)
  for (const place of [wanted, tmpdir()]) {
    if (place === undefined) continue
    mkdirSync(place, { recursive: true })
    if (root !== undefined && isInside(root, realpathSync(place))) continue
    const folder = mkdtempSync(join(place, 'segno-mcp-'))
    // Makes it a project of its own for npm, which would read the settings of one further up.
    mkdirSync(join(folder, 'node_modules'))
    return folder
  }
  throw new Misbehaviour('there is no place outside the workspace to start it in')
}

/** The home of whoever runs Segno; undefined where there is none, or where commands in the workspace can write to it. */
export function safeHome(workspace: string | undefined): string | undefined {
  try {
    const home = realpathSync(userInfo().homedir)
    return workspace !== undefined && isInside(realpathSync(workspace), home) ? undefined : home
  } catch {
    return undefined
  }
}
