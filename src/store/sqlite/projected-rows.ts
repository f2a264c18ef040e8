import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Projection } from '../project.ts'
import { eventKey } from './event-rows.ts'

/** Writes projections; statements are prepared once per set of columns. */
export function projectedRows(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>()

  function run(shape: string, sql: () => string, ...values: SQLInputValue[]): number {
    let statement = prepared.get(shape)
    if (!statement) prepared.set(shape, (statement = db.prepare(sql())))
    return Number(statement.run(...values).lastInsertRowid)
  }

  return {
    /** The session row also has columns that are not projected. */
    createSession(
      id: string,
      parent: number | null,
      parentSeq: number | null,
      projections: readonly Projection[],
    ): number {
      const set = projections.find(({ table }) => table === 'sessions')?.set ?? {}
      const columns = ['id', 'parent', 'parent_seq', ...Object.keys(set)]
      const sql = () => `INSERT INTO sessions (${columns.join()}) VALUES (${places(columns)})`
      return run(columns.join(), sql, id, parent, parentSeq, ...Object.values(set))
    },

    apply({ table, key, create, set }: Projection, session: number): void {
      if (table === 'sessions' && create) return
      const columns = Object.keys(set)
      const values = Object.values(set)
      const shape = `${table} ${create} ${columns.join()}`
      const update = (where: string) => () => `UPDATE ${table} SET ${assign(columns)} WHERE ${where}`
      const insert = (...more: string[]) => insertOwned(table, [...more, ...columns])
      if (table === 'sessions') run(shape, update('num = ?'), ...values, session)
      else if (table === 'rounds' && create)
        run(shape, insert('key', 'request_id'), eventKey(session, Number(set['start_seq'])), key, ...values, session)
      else if (table === 'rounds') {
        const [first, end] = [eventKey(session, 0), eventKey(session + 1, 0)]
        run(shape, update('request_id = ? AND key >= ? AND key < ?'), ...values, key, first, end)
      } else if (create) run(shape, insert(ID[table], 'session'), key, session, ...values, session)
      else run(shape, update(`${ID[table]} = ? AND session = ?`), ...values, key, session)
    },
  }
}

const ID = { approvals: 'id', calls: 'call_id' } as const

/** Copies tenant and owner from the session, for the indexes. */
const insertOwned = (table: string, columns: string[]) => (): string =>
  `INSERT INTO ${table} (${columns.join()}, tenant, owner)
   SELECT ${places(columns)}, tenant, owner FROM sessions WHERE num = ?`

const places = (columns: string[]): string => columns.map(() => '?').join()
const assign = (columns: string[]): string => columns.map((column) => `${column} = ?`).join()
