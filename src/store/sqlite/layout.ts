import type { DatabaseSync } from 'node:sqlite'
import { loopStep } from '../../lib/loop-step.ts'
import type { UpkeepOptions } from '../upkeep.ts'

/** Small pages, because a commit changes a little on many pages and writes each of them whole. */
const PAGE_BYTES = 1024
/** A checkpoint blocks everything, so there should be few; but writing over an old log is faster than growing it. */
const LOG_PAGES = 5000
const INCREMENTAL = 2

/** The layout of a new file; an older one gets it when it is rewritten. */
export const LAYOUT = `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`

/** Files of earlier versions can free pages only after a rewrite. */
export const canFreePages = (db: DatabaseSync): boolean => pragma(db, 'auto_vacuum') === INCREMENTAL

export const hasCurrentLayout = (db: DatabaseSync): boolean =>
  canFreePages(db) && pragma(db, 'page_size') === PAGE_BYTES

/**
 * Rewrites the whole file without its free pages, or not at all; it needs as much space again and blocks everything
 * else.
 */
export function rewrite(db: DatabaseSync): void {
  // The page size changes only outside WAL mode; TRUNCATE empties the journal, which holds old content.
  db.exec('PRAGMA journal_mode = TRUNCATE')
  try {
    db.exec(`${LAYOUT}; VACUUM`)
  } finally {
    useWal(db)
    // VACUUM leaves a read lock that blocks checkpoints, and a transaction ends it.
    db.exec('BEGIN IMMEDIATE; COMMIT')
  }
}

export function useWal(db: DatabaseSync): void {
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
}

export function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

/** Takes a few milliseconds. */
const PAGES_AT_A_TIME = 100

/** Returns free pages to the file system in small steps, with other work in between. */
export async function freePages(db: DatabaseSync, { signal, onProgress }: UpkeepOptions): Promise<void> {
  const total = pragma(db, 'freelist_count')
  for (let left = total; left > 0;) {
    signal?.throwIfAborted()
    onProgress?.({ doing: 'compacting', done: Math.max(0, total - left), total })
    db.exec(`PRAGMA incremental_vacuum(${PAGES_AT_A_TIME})`)
    const now = pragma(db, 'freelist_count')
    // Other work may free pages meanwhile, so it ends as soon as there is no progress.
    if (now >= left) break
    left = now
    await loopStep()
  }
}

/** Moves the write-ahead log into the file, to be written over from its beginning. */
export function moveLog(db: DatabaseSync): void {
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
}

/** Moves the write-ahead log into the file and empties it, so that erased content is gone from both. */
export function checkpoint(db: DatabaseSync): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

export function sizeOf(db: DatabaseSync): number {
  return pragma(db, 'page_count') * pragma(db, 'page_size')
}
