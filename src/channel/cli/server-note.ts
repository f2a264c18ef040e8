import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../lib/is-alive.ts'

const NOTE = 'server.json'
/** Whoever opens the database writes its process id here. */
const HOLDER = 'segno.db.pid'

/** The server that has the database open says where it is, for commands on the same machine. */
export function noteServer(home: string, url: string): () => void {
  const file = join(home, NOTE)
  writeFileSync(file, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/**
 * Where that server is. One that was killed leaves its note behind, and somebody else may listen at that address by now:
 * it counts only while the process that wrote it has the database.
 */
export function notedServer(home: string): string | undefined {
  try {
    const { url, pid } = JSON.parse(readFileSync(join(home, NOTE), 'utf8')) as { url: string; pid: number }
    const holder = Number(readFileSync(join(home, HOLDER), 'utf8'))
    return pid === holder && isAlive(pid) ? url : undefined
  } catch {
    return undefined
  }
}
