import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'segno-postgres-'

/** A folder for a server. Its name says whose it is: the id of this process, and when that started. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-${startOf(process.pid)}-`))
  // The server runs as somebody else and has to pass through it.
  chmodSync(folder, 0o755)
  return folder
}

export const dataIn = (folder: string): string => join(folder, 'data')

/** Ends the servers, and removes the folders, of processes that were killed before they could. */
export function sweepFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = /^segno-postgres-(\d+)-(\d+)-/.exec(name) ?? []
    const folder = join(tmpdir(), name)
    if (pid === undefined || !isOurs(folder) || (isAlive(Number(pid)) && startOf(Number(pid)) === start)) continue
    removeFolder(folder)
  }
}

/** Ends at once what runs in the folder and removes it. Needs no event loop: a process that is ending has none. */
export function removeFolder(folder: string): void {
  const server = serverOf(folder)
  if (server !== undefined) endNow(server)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** The process id of the server that runs in a folder. The file may be old and its number somebody else's by now. */
function serverOf(folder: string): number | undefined {
  const file = join(dataIn(folder), 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!isAlive(pid)) return undefined
  const command = `/proc/${pid}/cmdline`
  return !existsSync('/proc/self') || (existsSync(command) && readFileSync(command, 'utf8').includes(folder))
    ? pid
    : undefined
}

function endNow(pid: number): void {
  const until = Date.now() + 5_000
  signal(pid, 'SIGQUIT')
  while (isAlive(pid) && Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  signal(pid, 'SIGKILL')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return stateOf(pid) !== 'Z'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Not one that somebody else has removed meanwhile. */
const isOurs = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()

/** When a process started, so that another one with its number is not taken for it; 0 where the system does not say. */
const startOf = (pid: number): string => statOf(pid)?.[19] ?? '0'
const stateOf = (pid: number): string | undefined => statOf(pid)?.[0]

/** The fields of /proc/…/stat from the third on: the second is a name, which may contain anything. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
