import { readdir, readFile, readlink } from 'node:fs/promises'

/** What the kernel keeps for a process: its own pages, shared ones, swapped ones, huge ones, and the tables of all these. */
const AMOUNTS = /^(?:RssAnon|RssShmem|VmSwap|HugetlbPages|VmPTE):\s{1,20}(\d{1,20}) kB$/gm
const SOCKET_BYTES = '/proc/sys/net/core/wmem_default'

/**
 * Memory, in bytes, that processes hold, as far as it belongs to one: what is theirs alone, what they share, and what
 * may wait in their sockets. Those that end meanwhile count for nothing.
 */
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

/** Each has room for as much as is usual, which a command cannot change; how full it is, only the kernel knows. */
async function socketsOf(pid: number): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  return links.filter((link) => link.startsWith('socket:'))
}
