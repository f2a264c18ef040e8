import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../src/lib/clock.ts'
import { OwnedSession } from '../src/round/owned-session.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import type { Place } from './place.ts'
import { compare, type Line } from './report.ts'
import { interleave } from './sampling.ts'
import { longSession, openSegno } from './subject.ts'

const MESSAGES = 1000
const SETTINGS = { historyMessages: 50, contextTokens: 100_000, snapshotEvents: 512 }

/** Claiming, reading and folding a session, next to reading and parsing its rows. */
export async function benchOpening(place: Place, samples: number): Promise<Line> {
  const folder = place.folder('opening')
  const segno = await openSegno(folder, 'normal')
  const id = await longSession(segno, MESSAGES)
  await segno.close()
  const store = openSqliteStore({ file: join(folder, 'segno.db'), durability: 'normal' })
  // The store has its file alone, so the floor reads a copy.
  const copy = join(folder, 'copy.db')
  await store.backup(copy)
  const db = new DatabaseSync(copy)
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16000')
  const rows = db.prepare('SELECT key, n, body FROM events ORDER BY key')

  const ours = {
    run: async () => {
      const session = await OwnedSession.open(store, systemClock, id, SETTINGS)
      if (!session) throw new Error('the session is not there')
    },
  }
  const theirs = {
    run: () => {
      for (const row of rows.all() as { body: string }[]) JSON.parse(row.body)
    },
  }
  const [segnoMs, floorMs] = await interleave([ours, theirs], samples, Math.ceil(samples / 2))
  await store.close()
  db.close()
  return compare(`opening a session of ${MESSAGES} messages, next to its rows`, segnoMs, floorMs, 2)
}
