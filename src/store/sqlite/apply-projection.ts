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
    } else if (p.table === 'rounds' && p.create) {
      const all = ['key', 'request_id', ...columns]
      statement(shape, () => insertOwned('rounds', all)).run(
        eventKey(session, Number(p.set['start_seq'])),
        p.key,
        ...values,
        session,
      )
    } else if (p.table === 'rounds') {
      statement(shape, () => `UPDATE rounds SET ${assign(columns)} WHERE request_id = ? AND key >= ? AND key < ?`).run(
        ...values,
        p.key,
        eventKey(session, 0),
        eventKey(session + 1, 0),
      )
    } else if (p.create) {
      const all = [ID[p.table], 'session', ...columns]
      statement(shape, () => insertOwned(p.table, all)).run(p.key, session, ...values, session)
    } else {
      const id = ID[p.table]
      statement(shape, () => `UPDATE ${p.table} SET ${assign(columns)} WHERE ${id} = ? AND session = ?`).run(
        ...values,
        p.key,
        session,
      )
    }
  }
}

const ID = { approvals: 'id', calls: 'call_id' } as const

/** It is whose its session is; that stands here too, so that it can be looked for. */
const insertOwned = (table: string, columns: string[]): string =>
  `INSERT INTO ${table} (${columns.join()}, tenant, owner)
   SELECT ${places(columns)}, tenant, owner FROM sessions WHERE num = ?`

const places = (columns: string[]): string => columns.map(() => '?').join()
const assign = (columns: string[]): string => columns.map((column) => `${column} = ?`).join()
