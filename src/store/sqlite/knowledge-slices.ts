import type { DatabaseSync } from 'node:sqlite'
import { loopStep } from '../../lib/loop-step.ts'
import type { Base } from './base.ts'
import { moveLog } from './layout.ts'

/** Rows that are written at once: a millisecond or two. */
export const SLICE_ROWS = 64
/** After so many slices the write-ahead log is moved into the file: all of a long one at once takes much longer. */
const MOVE_EVERY = 8

/** Writes one slice of much after the other, with other work in between. */
export function slicesIn({ db, group }: Pick<Base, 'db' | 'group'>) {
  let written = 0
  return async <T>(write: () => T): Promise<T> => {
    const result = await group.run(write)
    if (++written % MOVE_EVERY === 0 && db.isOpen) tryToMoveLog(db)
    await loopStep()
    return result
  }
}

/** What is written is safe where it is, also on a full disk. */
function tryToMoveLog(db: DatabaseSync): void {
  try {
    moveLog(db)
  } catch {
    // The next slices try again.
  }
}
