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
  const note: Note = { url, pid, started: startOf(pid), ...(shared !== undefined && { store: shared }) }
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 })
  // Another node on this machine may have replaced it.
  return () => {
    if (readNote(file)?.pid === pid) rmSync(file, { force: true })
  }
}

/**
 * The address of the server. A killed server leaves its note behind, and another program may use that address by now, so
 * the note counts only while its writer runs. If the system does not tell when a process started, that is known once the
 * database was found to be in use (`isInUse`).
 */
export function notedServer(home: string, shared?: string, isInUse = false): string | undefined {
  const note = readNote(noteIn(home, shared))
  if (note === undefined || note.store !== shared || !isAlive(note.pid)) return undefined
  const isSame = note.started === startOf(note.pid)
  if (shared !== undefined) return isSame ? note.url : undefined
  const isSure = isInUse || (isSame && note.started !== undefined)
  return isSure && note.pid === Number(readText(join(home, HOLDER))) ? note.url : undefined
}

const readNote = (file: string): Note | undefined => parseObject(readText(file)) as Note | undefined

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
