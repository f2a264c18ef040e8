import { execFile } from 'node:child_process'
import { readFile, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface Room {
  readonly bytes: number
  readonly files: number
}

/** The free room on the disk of a folder. */
export async function roomAt(folder: string): Promise<Room> {
  const { bfree, bsize, ffree } = await statfs(folder)
  return { bytes: bfree * bsize, files: ffree }
}

/** Bytes that processes and their ended children wrote to disks, also to deleted files; tmpfs and zfs do not count. */
export async function writtenBy(pids: readonly number[]): Promise<number> {
  const reports = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')))
  return reports.reduce((sum, report) => sum + Number(/^write_bytes: (\d+)$/m.exec(report)?.[1] ?? 0), 0)
}

/** The size of a folder, as far as it can be read. */
export async function sizeOf(folder: string): Promise<Room> {
  const du = async (...how: string[]): Promise<number> => {
    // It fails when files disappear meanwhile, but still prints a number.
    const run = promisify(execFile)('du', ['-sx', ...how, folder])
    const { stdout = '' } = await run.catch((error: unknown) => error as { stdout?: string })
    return Number.parseInt(stdout, 10) || 0
  }
  return { bytes: await du('-B1'), files: await du('--inodes') }
}
