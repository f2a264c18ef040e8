import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Projection } from '../project.ts'
import { eventKey } from './event-rows.ts'

/** Writes what events mean for the projected rows. Statements are prepared once per set of columns. */
export function projectedRows(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>()

  function run(shape: string, sql: () => string, ...values: SQLInputValue[]): number {
    let statement = prepared.get(shape)
    if (!statement) prepared.set(shape, (statement = db.prepare(sql())))
    return Number(statement.run(...values).lastInsertRowid)
  }

  return {
    /** The row of a session also holds what is not projected. */
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

/** One projection for each row, however many events of a commit say something about it. */
export function inOneEach(projections: readonly Projection[]): readonly Projection[] {
  if (projections.length < 2) return projections
  const folded: Projection[] = []
  for (const one of projections) {
    const known = folded.findIndex(({ table, key }) => table === one.table && key === one.key)
    const before = folded[known]
    // What is created twice stays a mistake, for the database to refuse.
    if (before && !one.create) folded[known] = { ...before, set: { ...before.set, ...one.set } }
    else folded.push(one)
  }
  return folded
}

const ID = { approvals: 'id', calls: 'call_id' } as const

/** It is whose its session is; that stands here too, so that it can be looked for. */
const insertOwned = (table: string, columns: string[]) => (): string =>
  `INSERT INTO ${table} (${columns.join()}, tenant, owner)
   SELECT ${places(columns)}, tenant, owner FROM sessions WHERE num = ?`

const places = (columns: string[]): string => columns.map(() => '?').join()
const assign = (columns: string[]): string => columns.map((column) => `${column} = ?`).join()
