import { readdir, readFile, readlink, statfs } from 'node:fs/promises'

/** What the kernel keeps for a process: private, shared, swapped and huge pages, and page tables. */
const AMOUNTS = /^(?:RssAnon|RssShmem|VmSwap|HugetlbPages|VmPTE):\s{1,20}(\d{1,20}) kB$/gm
const SOCKET_BYTES = '/proc/sys/net/core/wmem_default'

/** Bytes that processes hold, with what may wait in their sockets; a process that ended counts nothing. */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const sockets = new Set<string>()
  let sum = 0
  for (const one of pids) {
    sum += await ownMemory(one)
    for (const socket of await socketsOf(one)) sockets.add(socket)
  }
  return sum + sockets.size * Number(await readFile(SOCKET_BYTES, 'utf8').catch(() => '0'))
}

async function ownMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return status.matchAll(AMOUNTS).reduce((sum, [, kb]) => sum + Number(kb) * 1024, 0)
}

/** Each may hold the default size, which a command cannot change; how much it holds only the kernel knows. */
async function socketsOf(pid: number): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  return links.filter((link) => link.startsWith('socket:'))
}

/** What the kernel needs for an empty file and its name. */
const FILE_BYTES = 1024

/**
 * Memory of the files in a command's /tmp besides their content, because bubblewrap cannot limit their number. Processes
 * inside the sandbox are those that see a /tmp of its size.
 */
export async function tmpFilesMemory(pids: readonly number[], tmpBytes: number): Promise<number> {
  const seen = await Promise.all(pids.map((pid) => statfs(`/proc/${pid}/root/tmp`).catch(() => undefined)))
  const own = seen.find((one) => one && Math.abs(one.blocks * one.bsize - tmpBytes) < one.bsize)
  return own ? (own.files - own.ffree) * FILE_BYTES : 0
}

/** Of the whole machine: the part that is left, and the bytes that are shared or swapped, which no process may show. */
export async function machineMemory(): Promise<{ readonly left: number; readonly shared: number }> {
  const text = await readFile('/proc/meminfo', 'utf8')
  const kb = (field: string): number => Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    left: kb('MemAvailable') / kb('MemTotal'),
    shared: (kb('Shmem') + kb('SwapTotal') - kb('SwapFree')) * 1024,
  }
}

/**
 * Whether a process has shared memory without a file. Its pages stay while anybody maps a part of it, even after the
 * process that wrote them let go, and then count for no process.
 */
export async function shareMemory(pids: readonly number[]): Promise<boolean> {
  const found = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/maps`, 'latin1').then(
        (maps) => maps.includes('/dev/zero (deleted)'),
        // A process that may not be read is assumed to have some; one that ended has none.
        (error: unknown) => ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''),
      ),
    ),
  )
  return found.includes(true)
}
