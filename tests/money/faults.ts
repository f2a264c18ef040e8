import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { NewEvent } from '../../src/contract/event.ts'
import type { Store } from '../../src/store/index.ts'

/** Planted on purpose, around the product and never in it, to see whether the checks notice. */
export type MoneyFault =
  | 'settled twice'
  | 'not settled when unknown'
  | 'reservation outside the transaction'
  | 'what is set aside does not count'
  | 'calls that run do not count'
  | 'calls of the hour do not count'
  | 'refused without a word'

type Run = StatementSync['run']
type Get = StatementSync['get']

const LATE_MS = 50

/** Changes single statements of a SQLite database. */
export function plantInDatabase(fault: MoneyFault | undefined): void {
  const planted = fault && STATEMENTS[fault]
  if (!planted) return
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql)
    if (!sql.includes(planted.sql)) return statement
    const { run, get } = planted
    if (run) Object.defineProperty(statement, 'run', { value: run(statement.run.bind(statement)) })
    if (get) Object.defineProperty(statement, 'get', { value: get(statement.get.bind(statement)) })
    return statement
  }
}

interface Planted {
  readonly sql: string
  readonly run?: (run: Run) => Run
  readonly get?: (get: Get) => Get
}

const nothing = (get: Get): Get =>
  ((...args: Parameters<Get>) => Object.fromEntries(Object.keys(get(...args) ?? {}).map((name) => [name, 0]))) as Get

const STATEMENTS: Partial<Record<MoneyFault, Planted>> = {
  'settled twice': {
    sql: 'INSERT INTO spent (tenant, user_id, day, tokens, tool_cost, cost) VALUES',
    run: (run) =>
      ((...args: Parameters<Run>) => {
        run(...args)
        return run(...args)
      }) as Run,
  },
  'reservation outside the transaction': {
    sql: 'INSERT INTO reservations',
    run: (run) =>
      ((...args: Parameters<Run>) => {
        setTimeout(() => run(...args), LATE_MS)
        return { changes: 1, lastInsertRowid: 0 }
      }) as Run,
  },
  'what is set aside does not count': { sql: "FILTER (WHERE what = 'tool')", get: nothing },
  'calls that run do not count': { sql: 'AND tool IS NOT NULL AND settled_at IS NULL', get: nothing },
  'calls of the hour do not count': { sql: 'AND tool IS NOT NULL AND at > ?', get: nothing },
}

/** Changes what is stored. */
export function plantInStore(fault: MoneyFault | undefined, store: Store): Store {
  const change = fault && EVENTS[fault]
  if (!change) return store
  return { ...store, commit: (whole) => store.commit({ ...whole, events: whole.events.map(change) }) }
}

const EVENTS: Partial<Record<MoneyFault, (event: NewEvent) => NewEvent>> = {
  'not settled when unknown': (event) =>
    event.type === 'tool.result' && event.data.outcome === 'unknown'
      ? { ...event, data: { ...event.data, cost: 0, tokens: 0 } }
      : event,
  'refused without a word': (event) =>
    event.type === 'message.assistant' && event.data.own === true
      ? { ...event, data: { ...event.data, content: [] } }
      : event,
}
