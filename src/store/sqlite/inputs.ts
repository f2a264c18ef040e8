import type { DatabaseSync } from 'node:sqlite'
import type { Input, InputBody } from '../../contract/input.ts'

interface Row {
  id: string
  key: string
  at: number
  body: string
  seen: number | null
}

/** Inputs wait in the order they came, which is that of their rows and not of their ids: a clock can be set back. */
export function inputsIn(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO inputs (id, session, key, at, body) VALUES (?, ?, ?, ?, ?)')
  const sameKey = db.prepare('SELECT id FROM inputs WHERE session = ? AND key = ?')
  const counted = db.prepare('SELECT count(*) AS n FROM inputs WHERE session = ?')
  const pending = db.prepare('SELECT id, key, at, body, seen FROM inputs WHERE session = ? ORDER BY rowid')
  // Few messages wait at any time: looking through them needs no index.
  const message = db.prepare(
    `SELECT i.id, i.key, i.at, i.body, i.seen, s.id AS session_id FROM inputs i JOIN sessions s ON s.num = i.session
     WHERE i.body ->> '$.kind' = 'message' AND i.body ->> '$.requestId' = ?`,
  )
  return {
    message(requestId: string): Input | undefined {
      const row = message.get(requestId) as (Row & { session_id: string }) | undefined
      return row && inputOf(row, row.session_id)
    },
    put(input: Input, session: number): void {
      insert.run(input.id, session, input.key, input.at, JSON.stringify(input.body))
    },
    /** The id of the one that waits under this key. */
    waiting: (session: number, key: string): string | undefined =>
      (sameKey.get(session, key) as { id: string } | undefined)?.id,
    count: (session: number): number => (counted.get(session) as { n: number }).n,
    pending(sessionId: string, session: number): Input[] {
      return (pending.all(session) as unknown as Row[]).map((row) => inputOf(row, sessionId))
    },
  }
}

function inputOf({ id, key, at, body, seen }: Row, sessionId: string): Input {
  return { id, sessionId, key, at, ...(seen !== null && { seen }), body: JSON.parse(body) as InputBody }
}
