import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Problem } from '../../contract/problem.ts'
import type { Schema } from '../upkeep.ts'
import { keepPrivate } from './keep-private.ts'
import { useWal, LAYOUT, pragma } from './layout.ts'
import { migrate } from './migrations/index.ts'
import { asProblem, sqliteCode } from './sqlite-problem.ts'

export interface SqliteOptions {
  /** path of the database file, or `:memory:` */
  readonly file: string
  /** `full`: acknowledged commits survive a power cut; `normal`: they survive a crash of the process */
  readonly durability: 'full' | 'normal'
}

/** Opens the file for this process alone and migrates it. */
export function openDatabase({ file, durability }: SqliteOptions): { db: DatabaseSync; schema: Schema } {
  const inMemory = file === ':memory:'
  if (!inMemory) makeFolder(file)
  let db: DatabaseSync | undefined
  let schema: Schema
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    // Exclusive: no other process may open the file, and the WAL index needs no shared memory.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    // Only a file without pages accepts it, and setting it on others would write to them.
    if (pragma(db, 'page_count') === 0) db.exec(LAYOUT)
    useWal(db)
    db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`)
    db.exec('PRAGMA foreign_keys = OFF')
    // Deleted conversations must not stay readable in free pages.
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
  // These statements work on every database Segno made, so somebody changed this one.
  return new Problem(
    'STORE_CORRUPT',
    `${file} cannot be brought up to date: ${(error as Error).message}. Somebody changed its tables. ` +
      'What could not be done was taken back; restore a backup.',
    { cause: error },
  )
}

const pidFile = (file: string): string => `${file}.pid`

/** Only to name the process in a message; the lock itself is SQLite's. */
function notePid(file: string): void {
  try {
    writeFileSync(pidFile(file), String(process.pid))
  } catch {}
}

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(pidFile(file), 'utf8').trim()})`
  } catch {
    return ''
  }
}
