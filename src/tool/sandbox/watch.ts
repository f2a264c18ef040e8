import type { Group } from './control-group.ts'
import { type Room, roomAt, sizeOf, writtenBy } from './disk-of.ts'
import { machineMemory, memoryOf, shareMemory, tmpFilesMemory } from './memory.ts'
import type { SandboxLimits } from './sandbox.ts'
import { treeOf } from './tree-of.ts'

const EVERY_MS = 100
/** If less than this part of the machine's memory is left, the command is killed, whoever uses the rest. */
const LEAST_LEFT = 0.03

export interface Watched {
  readonly pid: number
  readonly folder: string
  readonly limits: SandboxLimits
  /** if set, the kernel counts the memory */
  readonly group: Group | undefined
}

/** Watches the memory of all processes together and the disk, which the kernel does not limit; returns how to stop. */
export function watch({ pid, folder, limits, group }: Watched, onPast: (what: 'memory' | 'disk') => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let before: Room | undefined
  let leastShared = Number.POSITIVE_INFINITY

  async function look(): Promise<void> {
    const pids = await treeOf(pid)
    const what = (await isMemoryPast(pids)) ? 'memory' : (await isDiskPast(pids)) ? 'disk' : undefined
    if (ended) return
    if (what === undefined) timer = setTimeout(start, EVERY_MS)
    else onPast(what)
  }
  // A command that cannot be watched is stopped.
  const start = (): void => void look().catch(() => ended || onPast('memory'))

  async function isMemoryPast(pids: readonly number[]): Promise<boolean> {
    const { left, shared } = await machineMemory()
    if (left < LEAST_LEFT) return true
    if (group) return group.isPast()
    const held = (await memoryOf(pids)) + (await tmpFilesMemory(pids, limits.tmpBytes))
    if (held > limits.memoryBytes) return true
    // The least so far, so that memory others free does not hide what this command takes.
    leastShared = Math.min(leastShared, shared)
    if (shared - leastShared <= limits.memoryBytes) return false
    // Somebody took it; only now it is checked whether it can have been this command.
    if (await shareMemory(pids)) return true
    leastShared = shared
    return false
  }

  /** Lost room is seen at once; only then it is checked whether this command took it. */
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
