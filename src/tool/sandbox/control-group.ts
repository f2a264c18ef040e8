import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isAlive } from '../../lib/is-alive.ts'

/** A cgroup folder in which groups with a memory limit can be made. */
export interface GroupPlace {
  readonly folder: string
  readonly version: keyof typeof FILES
}

export type Group = Awaited<ReturnType<typeof makeGroup>>

/** By cgroup version; the swap file is missing on machines without swap. */
const FILES = {
  2: { limit: 'memory.max', swap: 'memory.swap.max', swapLimit: () => 0, events: 'memory.events' },
  1: {
    limit: 'memory.limit_in_bytes',
    // Limits memory and swap together.
    swap: 'memory.memsw.limit_in_bytes',
    swapLimit: (bytes: number) => bytes,
    events: 'memory.oom_control',
  },
}

const NAME = /^segno-(\d+)-\d+$/
/** A younger group may have just been made by another process. */
const LEFT_OVER_MS = 60_000
const REMOVE_TRIES = 40
const REMOVE_EVERY_MS = 50
const TRIED_BYTES = 64 * 1024 * 1024

let made = 0

/** A group for the processes of one command, whose memory the kernel limits; throws if it cannot be made. */
export async function makeGroup({ folder: parent, version }: GroupPlace, bytes: number) {
  const files = FILES[version]
  const folder = join(parent, `segno-${process.pid}-${(made += 1)}`)
  const file = (name: string): string => join(folder, name)
  await mkdir(folder)
  try {
    // `r+`, because in an ordinary folder the file would just be created.
    await writeFile(file(files.limit), String(bytes), { flag: 'r+' })
    await writeFile(file(files.swap), String(files.swapLimit(bytes)), { flag: 'r+' }).catch(unlessNoSwap)
    const held = Number(await readFile(file(files.limit), 'utf8'))
    if (!(held > 0 && held <= bytes)) throw new Error(`${file(files.limit)} does not keep what is written to it.`)
    await stat(file(files.events))
  } catch (error) {
    await rmdir(folder).catch(() => {})
    throw error
  }
  return {
    /** a process joins by writing its id to this file */
    members: file('cgroup.procs'),
    /** Whether the kernel killed a process because the memory was used up. */
    async isPast(): Promise<boolean> {
      const text = await readFile(file(files.events), 'utf8').catch(() => '')
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) > 0
    },
    /** Waits for its last process to end. */
    async remove(): Promise<void> {
      for (let tries = 0; tries < REMOVE_TRIES; tries += 1) {
        const isGone = await rmdir(folder).then(
          () => true,
          (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT',
        )
        if (isGone) return
        await setTimeout(REMOVE_EVERY_MS)
      }
    },
  }
}

async function unlessNoSwap(error: unknown): Promise<void> {
  const [, ...devices] = (await readFile('/proc/swaps', 'utf8')).trim().split('\n')
  if (devices.length > 0) throw error
}

/**
 * Finds where groups can be made by making one, and removes groups of a dead Segno. `named` is the operator's folder, of
 * either version; by default it is the parent of Segno's own group, which only version 2 lets others use.
 */
export async function findGroupPlace(named: string | undefined): Promise<GroupPlace | undefined> {
  const folders = named === undefined ? await ownFolders() : [named]
  const places = folders.flatMap((folder) =>
    (named === undefined ? ([2] as const) : ([2, 1] as const)).map((version) => ({ folder, version })),
  )
  for (const place of places) {
    const group = await makeGroup(place, TRIED_BYTES).catch(() => undefined)
    if (!group) continue
    await group.remove()
    await removeLeftOvers(place.folder)
    return place
  }
  return undefined
}

/** In version 2 only leaves contain processes, so a new group must be a sibling of Segno's own. */
async function ownFolders(): Promise<string[]> {
  const groups = await readFile('/proc/self/cgroup', 'utf8').catch(() => '')
  const own = /^0::(\/.*)$/m.exec(groups)?.[1]
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const unified = mounts.split('\n').find((line) => line.includes(' - cgroup2 '))
  const [, , , root, mount] = unified?.split(' ') ?? []
  if (own === undefined || mount === undefined || root !== '/' || own.includes('/..')) return []
  return own === '/' ? [mount] : [dirname(join(mount, own))]
}

/** Removes groups whose Segno was killed. */
export async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0)
    if (pid === 0 || isAlive(pid)) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    // A group with processes cannot be removed.
    if (Date.now() - mtimeMs > LEFT_OVER_MS) await rmdir(join(folder, name)).catch(() => {})
  }
}
