import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LOCAL_OWNER } from '../src/contract/actor.ts'
import { systemClock } from '../src/lib/clock.ts'
import { OwnedSession } from '../src/round/owned-session.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { lengthen } from './fork.ts'
import type { Place } from './place.ts'
import { compare, type Line } from './report.ts'
import { interleave } from './sampling.ts'
import { freshSession, longSession, openSegno, playRound } from './subject.ts'
import { HELLO } from './workloads.ts'

const MESSAGES = 1000
const NOTHING: ReadonlySet<string> = new Set()
const SETTINGS = { historyMessages: 50, contextTokens: 100_000, snapshotEvents: 256 }

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
      const session = await OwnedSession.open(store, systemClock, id, SETTINGS, () => NOTHING)
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

/** What must not grow with the history, at 100,000 events next to 100; since the last snapshot half of what it takes for the next. */
export async function benchLength(place: Place, samples: number): Promise<Line[]> {
  const folder = place.folder('length')
  const file = { file: join(folder, 'segno.db'), durability: 'normal' } as const
  let segno = await openSegno(folder, 'normal')
  const ids = [await freshSession(segno), await freshSession(segno)]
  const [first = ''] = ids
  const round = (await segno.sessions.events(LOCAL_OWNER, first)).filter((event) => event.requestId !== null)
  await segno.close()
  let store = openSqliteStore(file)
  for (const id of ids) await lengthen(store, id, round, 100)
  await lengthen(store, first, round, 100_000 - SETTINGS.snapshotEvents / 2)
  await store.close()
  segno = await openSegno(folder, 'normal')
  await playRound(segno, first, HELLO)
  await segno.close()
  store = openSqliteStore(file)
  await lengthen(store, first, round, 100_000)
  const open = ids.map((id) => ({
    run: async () => void (await OwnedSession.open(store, systemClock, id, SETTINGS, () => NOTHING)),
  }))
  const times = [await interleave(open, samples, Math.ceil(samples / 2))]
  await store.close()

  segno = await openSegno(folder, 'normal')
  const measure = async (run: (id: string) => Promise<unknown>): Promise<void> => {
    const sides = ids.map((id) => ({ run: async () => void (await run(id)) }))
    times.push(await interleave(sides, samples, Math.ceil(samples / 2)))
  }
  await measure((id) => segno.readings.prompt(LOCAL_OWNER, id))
  await measure(async (id) => {
    const { seq } = await segno.sessions.get(LOCAL_OWNER, id)
    const fork = await segno.sessions.fork(LOCAL_OWNER, id, seq)
    await playRound(segno, fork.id, HELLO)
  })
  await measure((id) => playRound(segno, id, HELLO))
  await segno.close()
  const names = ['opening a session', 'its prompt', 'a fork and its first round', 'its next round']
  return names.map((name, at) => compare(`${name}: 100,000 events, next to 100`, times[at]?.[0], times[at]?.[1], 2))
}
