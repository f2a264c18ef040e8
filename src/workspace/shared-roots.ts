import { constants } from 'node:fs'
import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { isObject } from '../lib/type-guards.ts'
import type { AccountStore } from '../store/index.ts'

export interface SharedBy {
  readonly id: string
  hasOthers(): Promise<boolean>
}

/** Why this node may not touch files under a root; undefined if it may. */
export type ProveShared = (name: string, root: string) => Promise<string | undefined>

const MARKER = '.segno-cluster'
const MARKER_BYTES = 200
const AREA = 'shared-folders'
/** How long a refusal is cached, so that not every call asks the database. */
const REFUSED_MS = 2000

interface Proven {
  readonly marker: string
  readonly device: number
  readonly inode: number
}

/**
 * Proves that a root is the same folder on all nodes by a marker file, whose text the database knows. A node that is
 * alone writes a new marker, so that an old copy of a folder is not taken for the shared one.
 */
export function proveShared(store: AccountStore, clock: Clock, { id, hasOthers }: SharedBy): ProveShared {
  const proven = new Map<string, Proven>()
  const refused = new Map<string, { readonly why: string; readonly until: number }>()
  store.onChange((area) => {
    if (area !== AREA) return
    proven.clear()
    refused.clear()
  })

  /** Puts a removed marker back, if the folder is still the same one. */
  async function isRestored(root: string, known: Proven | undefined): Promise<boolean> {
    if (!known) return false
    const { dev, ino } = await stat(root)
    if (dev !== known.device || ino !== known.inode) return false
    return writeMarker(root, known.marker)
  }

  async function remember(name: string, root: string, marker: string): Promise<void> {
    const { dev, ino } = await stat(root)
    proven.set(name, { marker, device: dev, inode: ino })
  }

  /** Runs on one node at a time. */
  async function settle(name: string, root: string): Promise<string | undefined> {
    let why: string | undefined
    await store.changeValue(AREA, name, clock.now(), async (value) => {
      const known = isObject(value) && typeof value['marker'] === 'string' ? value['marker'] : undefined
      const found = await readMarker(root)
      if (found !== undefined && found === known) return remember(name, root, found).then(() => undefined)
      why = await reasonAgainst(root, known, found)
      if (why !== undefined) return undefined
      const marker = `${id} ${newId()}`
      if (await writeMarker(root, marker)) return remember(name, root, marker).then(() => ({ marker }))
      if (await hasOthers()) why = cannotMark(root)
      return undefined
    })
    return why
  }

  async function reasonAgainst(root: string, known: string | undefined, found: string | undefined) {
    if (found !== undefined && !found.startsWith(`${id} `)) return ofAnother(root)
    return known !== undefined && (await hasOthers()) ? notShared(root) : undefined
  }

  return async (name, root) => {
    const before = refused.get(name)
    if (before && before.until > performance.now()) return before.why
    const known = proven.get(name)
    if (known && (await readMarker(root)) === known.marker) return undefined
    if (await isRestored(root, known)) return undefined
    proven.delete(name)
    const why = await settle(name, root)
    if (why === undefined) refused.delete(name)
    else refused.set(name, { why, until: performance.now() + REFUSED_MS })
    return why
  }
}

const NO_FILES = 'so this node may not touch files there'

const notShared = (root: string): string =>
  `${root} is not the folder that the other nodes of this cluster use (their ${MARKER} is not in it), ${NO_FILES}. Mount the shared file system there, on every node.`

const ofAnother = (root: string): string =>
  `${root} belongs to another cluster (says ${MARKER} in it), ${NO_FILES}. Use another folder, or remove that file if no other cluster uses it any more.`

const cannotMark = (root: string): string =>
  `${MARKER} cannot be written in ${root}, ${NO_FILES}: it shows the nodes of a cluster that they have the same folder. Let Segno write there.`

/** A command may have created anything under this name, so links are not followed and nothing blocks. */
async function readMarker(root: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(join(root, MARKER), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined)
  try {
    const read = await file?.read(Buffer.alloc(MARKER_BYTES), 0, MARKER_BYTES, 0)
    return read?.buffer.toString('utf8', 0, read.bytesRead).trim()
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

async function writeMarker(root: string, marker: string): Promise<boolean> {
  const made = join(root, `${MARKER}-${newId()}`)
  try {
    await writeFile(made, `${marker}\n`, { mode: 0o644, flag: 'wx' })
    await rename(made, join(root, MARKER))
    return true
  } catch {
    await rm(made, { force: true }).catch(() => {})
    return false
  }
}
