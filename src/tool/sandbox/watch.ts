import { readFile, statfs } from 'node:fs/promises'
import { memoryOf } from './memory-of.ts'
import type { SandboxLimits } from './sandbox.ts'

const EVERY_MS = 100
/** Less than this part of the memory of the machine left: whoever holds the rest, the command goes first. */
const LEAST_LEFT = 0.03

/**
 * Watches what the kernel bounds only for each process: the memory of all together, and the disk. The room on the disk
 * is measured as a whole, since files can be hidden from whoever counts them but blocks cannot; what others write
 * meanwhile counts too. Calls `onPast` once; the function it returns ends it.
 */
export function watch(
  pid: number,
  folder: string,
  limits: SandboxLimits,
  onPast: (what: 'memory' | 'disk') => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let atStart: Room | undefined

  async function look(): Promise<void> {
    const room = await roomAt(folder)
    atStart ??= room
    const isDiskPast = atStart.bytes - room.bytes > limits.diskBytes || atStart.files - room.files > limits.diskFiles
    const isMemoryPast = (await memoryOf(pid)) > limits.memoryBytes || (await memoryLeft()) < LEAST_LEFT
    if (ended) return
    if (isDiskPast || isMemoryPast) onPast(isDiskPast ? 'disk' : 'memory')
    else timer = setTimeout(start, EVERY_MS)
  }
  // What cannot be watched is not run any longer.
  const start = (): void => void look().catch(() => ended || onPast('memory'))

  start()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}

interface Room {
  readonly bytes: number
  readonly files: number
}

async function roomAt(folder: string): Promise<Room> {
  const { bfree, bsize, ffree } = await statfs(folder)
  return { bytes: bfree * bsize, files: ffree }
}

async function memoryLeft(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8')
  const kb = (field: string): number => Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN)
  return kb('MemAvailable') / kb('MemTotal')
}
