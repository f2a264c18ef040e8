import { existsSync } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import type { SandboxLimits } from './sandbox.ts'

/** What a command sees of this machine, read-only: programs, libraries and the little of /etc that they need. */
const SHOWN = [
  ...'/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store'.split(' '),
  ...'/etc/alternatives /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/localtime'.split(' '),
]

export const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']

/** Files of its own, in place of those that tell about this machine. */
export const OWN_FILES: Readonly<Record<string, string>> = {
  '/etc/passwd': 'sandbox:x:1000:1000:sandbox:/tmp:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n',
  '/etc/group': 'sandbox:x:1000:\nnogroup:x:65534:\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  '/etc/hosts': '127.0.0.1 localhost\n',
}

/** What /dev has besides devices. */
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

/** What of /proc acts on the machine. */
const PROC_OF_MACHINE = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/sysrq-trigger']

export interface Layout {
  readonly folders: readonly string[]
  readonly files: readonly string[]
  /** path → where it points to */
  readonly links: Readonly<Record<string, string>>
  /** in /proc, to be read-only whoever asks */
  readonly proc: readonly string[]
  /** folders among what is shown that are covered by an empty one */
  readonly covered: readonly string[]
}

/** What both ways of building a sandbox need to know of a run. */
export interface Inside {
  readonly layout: Layout
  readonly limits: SandboxLimits
  readonly timeoutMs: number
  readonly command: string
  /** for the kernel: which system calls it refuses */
  readonly filter: Buffer
}

/** What of all that this machine has. `hidden` are real paths that must not be seen, wherever they are. */
export async function readLayout(hidden: readonly string[]): Promise<Layout> {
  const folders: string[] = []
  const files: string[] = []
  const links: Record<string, string> = {}
  const found = await Promise.all(SHOWN.map((path) => lstat(path).catch(() => undefined)))
  for (const [at, path] of SHOWN.entries()) {
    const stats = found[at]
    if (stats?.isSymbolicLink()) links[path] = await readlink(path)
    else if (stats?.isDirectory()) folders.push(path)
    else if (stats?.isFile()) files.push(path)
  }
  const covered = hidden.filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
  return { folders, files, links, covered, proc: PROC_OF_MACHINE.filter((path) => existsSync(path)) }
}
