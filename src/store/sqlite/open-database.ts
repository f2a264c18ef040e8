import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Problem } from '../../contract/problem.ts'
import type { Schema } from '../upkeep.ts'
import { keepPrivate } from './keep-private.ts'
import { keepLog, LAYOUT, pragma } from './layout.ts'
import { migrate } from './migrations/index.ts'
import { asProblem, sqliteCode } from './sqlite-problem.ts'

export interface SqliteOptions {
  /** path of the database file, or `:memory:` */
  readonly file: string
  /** `full`: every acknowledged commit survives a power cut. `normal`: it survives a crash of the process. */
  readonly durability: 'full' | 'normal'
}

/** Opens the file for this process alone, and brings it to the current version. */
export function openDatabase({ file, durability }: SqliteOptions): { db: DatabaseSync; schema: Schema } {
  const inMemory = file === ':memory:'
  if (!inMemory) makeFolder(file)
  let db: DatabaseSync | undefined
  let schema: Schema
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    // Exclusive: no other process may open the file, and the WAL index lives in our memory instead of shared memory.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    // Only a file without a page takes it, any other when it is written anew; asking those too would write to them.
    if (pragma(db, 'page_count') === 0) db.exec(LAYOUT)
    keepLog(db)
    db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`)
    db.exec('PRAGMA foreign_keys = OFF')
    // What is deleted is overwritten: deleting a conversation must not leave it readable in free pages.
    db.exec('PRAGMA secure_delete = ON')
    db.exec('PRAGMA cache_size = -16000')
    db.exec('BEGIN IMMEDIATE; COMMIT')
    schema = migrate(db)
  } catch (error) {
    db?.close()
    throw openingProblem(error, file)
  }
  if (!inMemory) {
    keepPrivate(file)
    notePid(file)
  }
  return { db, schema }
}

function makeFolder(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Problem(
      'STORE_UNAVAILABLE',
      `Cannot make the folder ${dirname(file)} for the database: ${(cause as Error).message}. ` +
        'Choose a writable folder with SEGNO_HOME.',
      { cause },
    )
  }
}

function openingProblem(error: unknown, file: string): unknown {
  if (error instanceof Problem) return error
  const code = sqliteCode(error)
  if (code === 5 || code === 6) {
    return new Problem(
      'STORE_BUSY',
      `The database ${file} is in use by another Segno process${holder(file)}, such as an open segno chat. ` +
        'Stop that one first, or give this one its own folder with SEGNO_HOME.',
      { cause: error },
    )
  }
  const problem = asProblem(error, file)
  if (problem instanceof Problem || code === undefined) return problem
  // Statements of ours that work on every database Segno made: this one was changed by somebody else.
  return new Problem(
    'STORE_CORRUPT',
    `${file} cannot be brought up to date: ${(error as Error).message}. Somebody changed its tables. ` +
      'What could not be done was taken back; restore a backup.',
    { cause: error },
  )
}

const pidFile = (file: string): string => `${file}.pid`

/** Only to name the holder in a message; the lock itself is SQLite's and ends with the process. */
function notePid(file: string): void {
  try {
    writeFileSync(pidFile(file), String(process.pid))
  } catch {
    // A missing note costs a detail in an error message, nothing else.
  }
}

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(pidFile(file), 'utf8').trim()})`
  } catch {
    return ''
  }
}
