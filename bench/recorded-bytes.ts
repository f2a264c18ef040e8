import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Segno } from '../src/segno.ts'
import type { Place } from './place.ts'
import { freshSession, openSegno, playRound } from './subject.ts'
import type { Workload } from './workloads.ts'

export interface Recorded {
  /** what Segno wrote into its log for one round, cut into the rows and commits of the floor */
  readonly commits: readonly (readonly string[])[]
  /** commits Segno needed for it */
  readonly segnoCommits: number
}

export async function recordBytes(place: Place, workload: Workload): Promise<Recorded> {
  const home = place.folder('recorded')
  let sessionId = ''
  const before = await logAfter(home, async (segno) => {
    sessionId = await freshSession(segno)
  })
  const after = await logAfter(home, (segno) => playRound(segno, sessionId, workload.message))
  const bodies = after.slice(before.length)
  const text = bodies.join('')
  const wanted = workload.floorCommits.reduce((sum, rows) => sum + rows, 0)
  const rows = Array.from({ length: wanted }, (_, i) => text.slice(cut(text, i, wanted), cut(text, i + 1, wanted)))
  return { commits: workload.floorCommits.map((count) => rows.splice(0, count)), segnoCommits: bodies.length }
}

/** The rows of the log once `play` is done; a row is a commit. */
async function logAfter(home: string, play: (segno: Segno) => Promise<void>): Promise<string[]> {
  const segno = await openSegno(home, 'normal')
  await play(segno)
  await segno.close()
  const db = new DatabaseSync(join(home, 'segno.db'), { readOnly: true })
  const rows = db.prepare('SELECT body FROM events ORDER BY key').all() as { body: string }[]
  db.close()
  return rows.map((row) => row.body)
}

const cut = (text: string, part: number, of: number): number => Math.floor((text.length * part) / of)
