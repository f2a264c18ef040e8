import type { Group } from './control-group.ts'
import { type Room, roomAt, sizeOf, writtenBy } from './disk-of.ts'
import { machineMemory, shareMemory } from './machine-memory.ts'
import { memoryOf } from './memory-of.ts'
import type { SandboxLimits } from './sandbox.ts'
import { tmpFilesMemory } from './tmp-files.ts'
import { treeOf } from './tree-of.ts'

const EVERY_MS = 100
/** Less than this part of the memory of the machine left: whoever holds the rest, the command goes first. */
const LEAST_LEFT = 0.03

export interface Watched {
  readonly pid: number
  readonly folder: string
  readonly limits: SandboxLimits
  /** where there is one, the kernel counts the memory */
  readonly group: Group | undefined
}

/**
 * Watches what the kernel bounds only for each process: the memory of all together, and the disk. Calls `onPast` once;
 * the function it returns ends it.
 */
export function watch({ pid, folder, limits, group }: Watched, onPast: (what: 'memory' | 'disk') => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let before: Room | undefined
  let sharedBefore: number | undefined

  async function look(): Promise<void> {
    const pids = await treeOf(pid)
    const what = (await isMemoryPast(pids)) ? 'memory' : (await isDiskPast(pids)) ? 'disk' : undefined
    if (ended) return
    if (what === undefined) timer = setTimeout(start, EVERY_MS)
    else onPast(what)
  }
  // What cannot be watched is not run any longer.
  const start = (): void => void look().catch(() => ended || onPast('memory'))

  async function isMemoryPast(pids: readonly number[]): Promise<boolean> {
    const { left, shared } = await machineMemory()
    if (left < LEAST_LEFT) return true
    if (group) return group.isPast()
    const held = (await memoryOf(pids)) + (await tmpFilesMemory(pids, limits.tmpBytes))
    if (held > limits.memoryBytes) return true
    sharedBefore ??= shared
    if (shared - sharedBefore <= limits.memoryBytes) return false
    // Somebody took it: as with the disk it is asked only now whether this command can have been it.
    if (await shareMemory(pids)) return true
    sharedBefore = shared
    return false
  }

  /** Room that is gone is seen at once, whoever took it; only then it is asked whether this command did. */
  async function isDiskPast(pids: readonly number[]): Promise<boolean> {
    const room = await roomAt(folder)
    before ??= room
    const isLess = before.bytes - room.bytes > limits.diskBytes || before.files - room.files > limits.diskFiles
    if (!isLess) return false
    const size = await sizeOf(folder)
    const bytes = Math.max(size.bytes, await writtenBy(pids))
    if (bytes > limits.diskBytes || size.files > limits.diskFiles) return true
    before = room
    return false
  }

  start()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
