import type { DatabaseSync } from 'node:sqlite'
import { loopStep } from '../../lib/loop-step.ts'
import { pragma } from './layout.ts'

/** A few milliseconds, then others have their turn. */
const PAGES_AT_A_TIME = 100

export interface CompactOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Gives free pages back to the disk, some at a time, with all other work in between. */
export async function giveBack(db: DatabaseSync, { signal, onProgress }: CompactOptions): Promise<void> {
  const total = pragma(db, 'freelist_count')
  for (let left = total; left > 0;) {
    signal?.throwIfAborted()
    onProgress?.(Math.max(0, total - left), total)
    db.exec(`PRAGMA incremental_vacuum(${PAGES_AT_A_TIME})`)
    const now = pragma(db, 'freelist_count')
    // Others may free pages meanwhile; what there is none of is never waited for.
    if (now >= left) break
    left = now
    await loopStep()
  }
}

/** What was taken out of the file stands in the write-ahead log until that is folded in. */
export function foldIn(db: DatabaseSync): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

export function sizeOf(db: DatabaseSync): number {
  return pragma(db, 'page_count') * pragma(db, 'page_size')
}
