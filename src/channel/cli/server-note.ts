import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isAlive, startOf } from '../../lib/is-alive.ts'
import { parseObject } from '../../lib/parse-object.ts'

/** Written by the process that opens the database. */
const HOLDER = 'segno.db.pid'

interface Note {
  readonly url: string
  readonly pid: number
  /** the database, if it is shared */
  readonly store?: string
  /** start time of the process, because its pid may be reused */
  readonly started?: string | undefined
}

/** Nodes on several machines may share the folder. */
const noteIn = (home: string, shared: string | undefined): string =>
  join(home, shared === undefined ? 'server.json' : `server-${hostname()}.json`)

/** Notes the address of this server for commands on the same machine. `shared` is the name of a shared database. */
export function noteServer(home: string, url: string, shared?: string): () => void {
  const file = noteIn(home, shared)
  const { pid } = process
  const note: Note = { url, pid, ...(shared !== undefined && { store: shared, started: startOf(pid) }) }
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 })
  // Another node on this machine may have replaced it.
  return () => {
    if (readNote(file)?.pid === pid) rmSync(file, { force: true })
  }
}

/**
 * The address of the server. A killed server leaves its note behind, and another program may use that address by now, so
 * the note counts only while its writer has the database open or, if that is shared, still runs.
 */
export function notedServer(home: string, shared?: string): string | undefined {
  const note = readNote(noteIn(home, shared))
  if (note === undefined || !isAlive(note.pid)) return undefined
  const isItsWriter =
    shared === undefined ? note.pid === Number(readText(join(home, HOLDER))) : note.started === startOf(note.pid)
  return isItsWriter && note.store === shared ? note.url : undefined
}

const readNote = (file: string): Note | undefined => parseObject(readText(file)) as Note | undefined

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
