import { Problem } from '../../contract/problem.ts'

/** SQLite's primary result code, without the extended part. */
export function sqliteCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code === undefined ? undefined : code & 0xff
}

function extendedCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : undefined
}

/** SQLITE_IOERR_LOCK: the file is read-only for this user, or its disk has no locks. */
const CANNOT_LOCK = 3850

const CANNOT_WRITE: Readonly<Record<number, string>> = {
  8: 'the file or its folder is read-only. Nothing was stored; let this user write to both',
  10: 'the disk reported an error. Nothing was stored; look at the disk and try again',
  13: 'the disk is full. Nothing was stored; make room and try again',
  [CANNOT_LOCK]: 'the file cannot be locked. Let this user write to it, and keep it on a disk of this machine',
  14: 'the file cannot be opened. Nothing was stored; it must be a file in a folder this user may write to',
}

/** Turns a database error into a Problem that says what to do; other errors stay as they are. */
export function asProblem(error: unknown, file: string): unknown {
  const code = sqliteCode(error)
  if (isClosed(error)) return new Problem('SHUTTING_DOWN', 'Segno is closed; open it again to go on.', { cause: error })
  if (code === undefined) return error
  const why = CANNOT_WRITE[extendedCode(error) ?? code] ?? CANNOT_WRITE[code]
  if (why !== undefined) {
    return new Problem('STORE_UNAVAILABLE', `Cannot write to ${file}: ${why}.`, { cause: error })
  }
  if (code === 19) return new Problem('CONFLICT', 'Something with this id is already there.', { cause: error })
  if (code === 11 || code === 26) {
    return new Problem(
      'STORE_CORRUPT',
      `${file} is damaged or is not a Segno database. Move it away and restore a backup; nothing was changed.`,
      { cause: error },
    )
  }
  return error
}

/** Node's error for a statement of a closed database. */
const isClosed = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'ERR_INVALID_STATE'
