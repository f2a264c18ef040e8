import type { DatabaseSync } from 'node:sqlite'
import type { Input, InputBody } from '../../contract/input.ts'

interface Row {
  id: string
  key: string
  at: number
  body: string
}

/** Inputs wait in the order they came, which is that of their rows and not of their ids: a clock can be set back. */
export function inputsIn(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO inputs (id, session, key, at, body) VALUES (?, ?, ?, ?, ?)')
  const pending = db.prepare('SELECT id, key, at, body FROM inputs WHERE session = ? ORDER BY rowid')
  return {
    put(input: Input, session: number): void {
      insert.run(input.id, session, input.key, input.at, JSON.stringify(input.body))
    },
    pending(sessionId: string, session: number): Input[] {
      return (pending.all(session) as unknown as Row[]).map((row) => ({
        id: row.id,
        sessionId,
        key: row.key,
        at: row.at,
        body: JSON.parse(row.body) as InputBody,
      }))
    },
  }
}
