import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Projection } from '../project.ts'
import { eventKey } from './event-rows.ts'

/** Writes what an event means for the projected rows. Statements are prepared once per set of columns. */
export function applyProjection(db: DatabaseSync): (p: Projection, session: number) => void {
  const prepared = new Map<string, StatementSync>()

  function statement(id: string, sql: () => string): StatementSync {
    let found = prepared.get(id)
    if (!found) prepared.set(id, (found = db.prepare(sql())))
    return found
  }

  return (p, session) => {
    const columns = Object.keys(p.set)
    const values = Object.values(p.set)
    const shape = `${p.table} ${p.create} ${columns.join()}`
    if (p.table === 'sessions') {
      // The row itself is made by the commit that creates the session: it also holds what is not projected.
      statement(shape, () => `UPDATE sessions SET ${assign(columns)} WHERE num = ?`).run(...values, session)
    } else if (p.create) {
      const keys = KEYS[p.table]
      statement(
        shape,
        () =>
          `INSERT INTO ${p.table} (${[...keys, ...columns].join()}) VALUES (${[...keys, ...columns].map(() => '?').join()})`,
      ).run(...keyValues(p, session), ...values)
    } else if (p.table === 'rounds') {
      statement(shape, () => `UPDATE rounds SET ${assign(columns)} WHERE request_id = ? AND key >= ? AND key < ?`).run(
        ...values,
        p.key,
        eventKey(session, 0),
        eventKey(session + 1, 0),
      )
    } else {
      const keys = KEYS[p.table]
      statement(shape, () => `UPDATE ${p.table} SET ${assign(columns)} WHERE ${keys[0]} = ? AND session = ?`).run(
        ...values,
        p.key,
        session,
      )
    }
  }
}

const KEYS = { rounds: ['key', 'request_id'], approvals: ['id', 'session'], calls: ['call_id', 'session'] } as const

function keyValues(p: Projection, session: number): [string | number, string | number] {
  if (p.table === 'rounds') return [eventKey(session, Number(p.set['start_seq'])), p.key]
  return [p.key, session]
}

const assign = (columns: string[]): string => columns.map((column) => `${column} = ?`).join()
