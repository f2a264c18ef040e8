import type { DatabaseSync } from 'node:sqlite'
import { loopStep } from '../../lib/loop-step.ts'

/** A few milliseconds, then others have their turn. */
const PAGES_AT_A_TIME = 100

export interface CompactOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Can this file give back room in steps? One that was made before Segno asked for it can after a rewrite. */
export function givesBack(db: DatabaseSync): boolean {
  return number(db, 'auto_vacuum') === INCREMENTAL
}

const INCREMENTAL = 2

/** Gives free pages back to the disk, some at a time, with all other work in between. */
export async function giveBack(db: DatabaseSync, { signal, onProgress }: CompactOptions): Promise<void> {
  const total = number(db, 'freelist_count')
  for (let left = total; left > 0;) {
    signal?.throwIfAborted()
    onProgress?.(Math.max(0, total - left), total)
    db.exec(`PRAGMA incremental_vacuum(${PAGES_AT_A_TIME})`)
    const now = number(db, 'freelist_count')
    // Others may free pages meanwhile; what there is none of is never waited for.
    if (now >= left) break
    left = now
    await loopStep()
  }
}

/**
 * Writes the whole file anew without its free pages, in a way that lets it give back room in steps from then on. It takes
 * as much room again while it does, everything else stands still, and all or nothing happens.
 */
export function rewrite(db: DatabaseSync): void {
  db.exec('PRAGMA auto_vacuum = INCREMENTAL')
  db.exec('VACUUM')
}

/** What was taken out of the file stands in the write-ahead log until that is folded in. */
export function foldIn(db: DatabaseSync): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

export function sizeOf(db: DatabaseSync): number {
  return number(db, 'page_count') * number(db, 'page_size')
}

function number(db: DatabaseSync, pragma: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
}
