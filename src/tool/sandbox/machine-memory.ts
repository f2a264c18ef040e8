import { readFile } from 'node:fs/promises'

/** The memory of the whole machine. */
export interface MachineMemory {
  /** the part that is left, from 0 to 1 */
  readonly left: number
  /** bytes that are shared or swapped, whoever holds them: of these not every page is in some process' numbers */
  readonly shared: number
}

export async function machineMemory(): Promise<MachineMemory> {
  const text = await readFile('/proc/meminfo', 'utf8')
  const kb = (field: string): number => Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    left: kb('MemAvailable') / kb('MemTotal'),
    shared: (kb('Shmem') + kb('SwapTotal') - kb('SwapFree')) * 1024,
  }
}

/**
 * Does one of these processes have shared memory without a file? A page of it that was written stays when the process
 * that wrote it has let go of it, as long as anybody has some part of the whole: then it is counted nowhere.
 */
export async function shareMemory(pids: readonly number[]): Promise<boolean> {
  const found = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/maps`, 'latin1').then(
        (maps) => maps.includes('/dev/zero (deleted)'),
        // What may not be looked into is taken to have some; what is gone has none.
        (error: unknown) => ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''),
      ),
    ),
  )
  return found.includes(true)
}
