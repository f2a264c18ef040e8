import type { DatabaseSync } from 'node:sqlite'

/** A commit changes a little on each of many pages, and writes each of them whole: small ones make it short. */
const PAGE_BYTES = 1024
/**
 * A checkpoint stops everything for a moment; a longer log means fewer of them. But the disk is faster where the log is
 * written over its older parts than where it grows.
 */
const LOG_PAGES = 5000
const INCREMENTAL = 2

/** How a new file is laid out. Any other takes it only when it is written anew. */
export const LAYOUT = `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`

/** Can this file give back room in steps? One that was made before Segno asked for it can after a rewrite. */
export const givesBack = (db: DatabaseSync): boolean => pragma(db, 'auto_vacuum') === INCREMENTAL

/** Is it laid out as a new file is? */
export const isLaidOut = (db: DatabaseSync): boolean => givesBack(db) && pragma(db, 'page_size') === PAGE_BYTES

/**
 * Writes the whole file anew without its free pages, laid out as a new one. It takes as much room again while it does,
 * everything else stands still, and all or nothing happens.
 */
export function rewrite(db: DatabaseSync): void {
  // Pages change their size only outside WAL; the journal, which holds what is written over, is emptied at the end.
  db.exec('PRAGMA journal_mode = TRUNCATE')
  try {
    db.exec(`${LAYOUT}; VACUUM`)
  } finally {
    keepLog(db)
    // SQLite leaves the file as if it was being read, and then the log cannot be folded in; a transaction ends that.
    db.exec('BEGIN IMMEDIATE; COMMIT')
  }
}

export function keepLog(db: DatabaseSync): void {
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
}

export function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}
