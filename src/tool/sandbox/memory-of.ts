import { readdir, readFile, readlink, stat } from 'node:fs/promises'

/**
 * Memory, in bytes, that processes hold: what is theirs alone, what they share, and files that exist only in memory.
 * Those that end meanwhile count for nothing.
 */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const files = new Map<number, number>()
  let sum = 0
  for (const one of pids) {
    sum += await ownMemory(one)
    await addMemoryFiles(one, files)
  }
  return files.values().reduce((total, bytes) => total + bytes, sum)
}

async function ownMemory(pid: number): Promise<number> {
  const status = await orNothing(readFile(`/proc/${pid}/status`, 'utf8'), '')
  const amounts = status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm)
  return amounts.reduce((sum, [, kb]) => sum + Number(kb) * 1024, 0)
}

/** Written to and not mapped, a file in memory is in no process' numbers. */
async function addMemoryFiles(pid: number, files: Map<number, number>): Promise<void> {
  for (const fd of await orNothing(readdir(`/proc/${pid}/fd`), [])) {
    const path = `/proc/${pid}/fd/${fd}`
    if (!(await orNothing(readlink(path), '')).startsWith('/memfd:')) continue
    const stats = await orNothing(stat(path), undefined)
    if (stats !== undefined) files.set(stats.ino, stats.blocks * 512)
  }
}

function orNothing<Value>(promise: Promise<Value>, nothing: Value): Promise<Value> {
  return promise.catch(() => nothing)
}
