import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isAlive } from '../../lib/is-alive.ts'

/** A folder of the kernel in which groups of processes with a common memory limit can be made. */
export interface GroupPlace {
  readonly folder: string
  readonly version: keyof typeof FILES
}

/** The processes of one command, which have so much memory together: the kernel counts, whatever it is used for. */
export interface Group {
  /** a process that writes its number there belongs to it, with all it starts */
  readonly members: string
  /** has the kernel killed something in it, because the memory was used up? */
  isPast(): Promise<boolean>
  /** once its last process is gone */
  remove(): Promise<void>
}

/** By version. `swap` is memory that was written to the disk: there is none where the machine has no room for that. */
const FILES = {
  2: { limit: 'memory.max', swap: 'memory.swap.max', swapLimit: () => 0, events: 'memory.events' },
  1: {
    limit: 'memory.limit_in_bytes',
    // Of both together.
    swap: 'memory.memsw.limit_in_bytes',
    swapLimit: (bytes: number) => bytes,
    events: 'memory.oom_control',
  },
}

const NAME = /^segno-(\d+)-\d+$/
/** One that another process has just made may be empty still. */
const LEFT_OVER_MS = 60_000
const REMOVE_TRIES = 40
const REMOVE_EVERY_MS = 50
const TRIED_BYTES = 64 * 1024 * 1024

let made = 0

/** Makes a group, or throws: a command must not run with less of a limit than was promised. */
export async function makeGroup({ folder: parent, version }: GroupPlace, bytes: number): Promise<Group> {
  const files = FILES[version]
  const folder = join(parent, `segno-${process.pid}-${(made += 1)}`)
  const file = (name: string): string => join(folder, name)
  await mkdir(folder)
  try {
    // In a folder that is no group the file would be made: only what is there already limits anything.
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
    members: file('cgroup.procs'),
    async isPast() {
      const text = await readFile(file(files.events), 'utf8').catch(() => '')
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) > 0
    },
    async remove() {
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
 * Where groups can be made, found by making one; what was left there by a Segno that is gone is removed. `named` is a
 * folder the operator gave for it, of either version; else the group that Segno is in is asked for its parent, which
 * only version 2 hands over to those who may use it.
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

/** Processes stand only in the leaves of version 2, so a group for others has to stand beside Segno's own. */
async function ownFolders(): Promise<string[]> {
  const groups = await readFile('/proc/self/cgroup', 'utf8').catch(() => '')
  const own = /^0::(\/.*)$/m.exec(groups)?.[1]
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const unified = mounts.split('\n').find((line) => line.includes(' - cgroup2 '))
  const [, , , root, mount] = unified?.split(' ') ?? []
  if (own === undefined || mount === undefined || root !== '/' || own.includes('/..')) return []
  return own === '/' ? [mount] : [dirname(join(mount, own))]
}

/** Groups whose Segno was killed before it could remove them. */
export async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0)
    if (pid === 0 || isAlive(pid)) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    // One with processes in it cannot be removed.
    if (Date.now() - mtimeMs > LEFT_OVER_MS) await rmdir(join(folder, name)).catch(() => {})
  }
}
