import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '../../src/contract/event.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { allNoted, eventsIn } from './events-in.ts'
import { noteOnPostgres, readPostgres } from './commit-order-postgres.ts'

/** Whoever looks at the database, and none of the store's own code: what is read here is judged against it. */
const opened = (home: string): DatabaseSync => new DatabaseSync(join(home, 'segno.db'))

/**
 * Numbers of events count within a session only, and times are those of their making. So the database itself notes, in
 * each transaction, which commits it took: the order of these notes is the order of all commits over all sessions.
 */
export async function noteCommits(home: string): Promise<void> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  if (url !== undefined) return noteOnPostgres(url)
  const db = opened(home)
  db.exec(`CREATE TABLE commit_order (n INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL);
    CREATE TRIGGER note_commit AFTER INSERT ON events BEGIN INSERT INTO commit_order (key) VALUES (new.key); END`)
  db.close()
}

export interface Reservation {
  readonly settled_at: number | null
  readonly spent_tokens: number | null
  readonly spent_cost: number | null
}

export interface InDatabase {
  /** as they were committed, over all sessions */
  readonly commits: readonly (readonly StoredEvent[])[]
  readonly reservations: readonly Reservation[]
  /** approvals that still wait for somebody */
  readonly pending: number
}

const SESSION = 2 ** 26

export async function readDatabase(home: string): Promise<InDatabase> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  if (url !== undefined) return readPostgres(url)
  const db = opened(home)
  try {
    const rows = db
      .prepare(
        `SELECT c.key AS key, e.body AS body, s.id AS session FROM commit_order c
         JOIN events e ON e.key = c.key JOIN sessions s ON s.num = c.key / ${SESSION} ORDER BY c.n`,
      )
      .all() as { key: number; body: string; session: string }[]
    const commits = rows.map(({ key, body, session: sessionId }) => eventsIn(body, sessionId, key % SESSION))
    const stored = (db.prepare('SELECT count(*) AS n FROM events').get() as { n: number }).n
    allNoted(stored, commits.length)
    const reservations = db.prepare('SELECT settled_at, spent_tokens, spent_cost FROM reservations').all()
    const pending = db.prepare("SELECT count(*) AS n FROM approvals WHERE status = 'pending'").get()
    return {
      commits,
      reservations: reservations as unknown as Reservation[],
      pending: (pending as { n: number }).n,
    }
  } finally {
    db.close()
  }
}
