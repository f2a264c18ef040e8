import { existsSync } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import type { SandboxLimits } from './sandbox.ts'

/** What a command sees of this machine, read-only: programs, libraries and the parts of /etc they need. */
const SHOWN = [
  ...'/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store'.split(' '),
  ...'/etc/alternatives /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/localtime'.split(' '),
]

export const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']

/** Replace files that describe this machine. */
export const OWN_FILES: Readonly<Record<string, string>> = {
  '/etc/passwd': 'sandbox:x:1000:1000:sandbox:/tmp:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n',
  '/etc/group': 'sandbox:x:1000:\nnogroup:x:65534:\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  '/etc/hosts': '127.0.0.1 localhost\n',
}

/** Links in /dev. */
export const DEVICE_LINKS: Readonly<Record<string, string>> = {
  '/dev/fd': '/proc/self/fd',
  '/dev/stdin': '/proc/self/fd/0',
  '/dev/stdout': '/proc/self/fd/1',
  '/dev/stderr': '/proc/self/fd/2',
  '/dev/shm': '/tmp',
}

export const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
}

/** Parts of /proc that can change the machine. */
const PROC_OF_MACHINE = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/sysrq-trigger']

export type Layout = Awaited<ReturnType<typeof readLayout>>

/** What both kinds of sandbox need to run a command. */
export interface Inside {
  readonly layout: Layout
  readonly limits: SandboxLimits
  readonly timeoutMs: number
  readonly command: string
  /** the seccomp filter */
  readonly filter: Buffer
}

/** The parts that exist on this machine; `hidden` are real paths that must not be visible. */
export async function readLayout(hidden: readonly string[]) {
  const folders: string[] = []
  const files: string[] = []
  /** path → target */
  const links: Record<string, string> = {}
  const found = await Promise.all(SHOWN.map((path) => lstat(path).catch(() => undefined)))
  for (const [at, path] of SHOWN.entries()) {
    const stats = found[at]
    if (stats?.isSymbolicLink()) links[path] = await readlink(path)
    else if (stats?.isDirectory()) folders.push(path)
    else if (stats?.isFile()) files.push(path)
  }
  /** visible folders to cover with an empty one */
  const covered = hidden.filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
  /** to make read-only */
  const proc = PROC_OF_MACHINE.filter((path) => existsSync(path))
  return { folders, files, links, covered, proc }
}
