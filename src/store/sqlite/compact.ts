import type { DatabaseSync } from 'node:sqlite'
import type { Compacted } from '../store.ts'

/** Writes the whole file anew without its free pages. It takes as much room again while it does, and all or nothing happens. */
export function compactIn(db: DatabaseSync): Compacted {
  const before = sizeOf(db)
  db.exec('VACUUM')
  // The new file stands in the write-ahead log until that is folded in.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const after = sizeOf(db)
  return { before, after, freed: before - after }
}

function sizeOf(db: DatabaseSync): number {
  const { bytes } = db
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
    .get() as {
    bytes: number
  }
  return bytes
}
