import { execFile } from 'node:child_process'
import { readFile, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

/** What a disk holds, or has room for. */
export interface Room {
  readonly bytes: number
  readonly files: number
}

/** How much room is left where a folder is. */
export async function roomAt(folder: string): Promise<Room> {
  const { bfree, bsize, ffree } = await statfs(folder)
  return { bytes: bfree * bsize, files: ffree }
}

/**
 * What processes wrote to any disk, also to files that are gone; what a child wrote is its parent's when it has ended.
 * A file system that keeps its own counsel (tmpfs, zfs) counts nothing here.
 */
export async function writtenBy(pids: readonly number[]): Promise<number> {
  const reports = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')))
  return reports.reduce((sum, report) => sum + Number(/^write_bytes: (\d+)$/m.exec(report)?.[1] ?? 0), 0)
}

/** What a folder holds, as far as it can be seen. */
export async function sizeOf(folder: string): Promise<Room> {
  const du = async (...how: string[]): Promise<number> => {
    // Files that come and go while it counts make it fail; it counts all the same.
    const run = promisify(execFile)('du', ['-sx', ...how, folder])
    const { stdout = '' } = await run.catch((error: unknown) => error as { stdout?: string })
    return Number.parseInt(stdout, 10) || 0
  }
  return { bytes: await du('-B1'), files: await du('--inodes') }
}
