import { Pool, types, type CustomTypesConfig, type PoolClient } from 'pg'
import { cleanText } from '../clean-text.ts'
import { asProblem } from './postgres-problem.ts'

export type Query = <Row extends object = object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>

export interface Database {
  /** Runs one statement, which is its own transaction. */
  readonly query: Query
  /** Runs several statements in one transaction, which is rolled back if `work` rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** A connection for one caller, with the driver's own errors. */
  connect(): Promise<Connection>
  close(): Promise<void>
}

export interface Connection {
  readonly query: Query
  /** With an error, the connection is closed. */
  release(broken?: Error): void
}

export interface DatabaseOptions {
  readonly url: string
  /** at most so many at once */
  readonly connections: number
  readonly connectMs: number
  readonly statementMs: number
  /** how long a transaction may wait for its next statement */
  readonly idleMs?: number
}

/** A node that hangs or is cut off must not hold its locks for long. */
const IDLE_MS = 5000
export const begin = (idleMs = IDLE_MS): string => `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`

const INT8 = 20
/** Our bigints all fit into JavaScript's safe integers. */
const numbers: CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary'): unknown =>
    id === INT8 ? Number : types.getTypeParser(id, format),
}

/** PostgreSQL refuses NUL in text and has no infinite integer. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable)
  if (value === Infinity) return Number.MAX_SAFE_INTEGER
  return typeof value === 'string' && value.includes('\0') ? cleanText(value) : value
}

/** A connection pool; nothing is kept in a connection between transactions, so PgBouncer may stand in between. */
export function openDatabase({ url, connections, connectMs, statementMs, idleMs }: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    types: numbers,
    application_name: 'segno',
    keepAlive: true,
  })
  // An idle connection that breaks is replaced when one is needed.
  pool.on('error', ignore)
  let ended: Promise<void> | undefined

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw asProblem(error)
    }
  }

  function queryOf(on: Pool | PoolClient): Query {
    return async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
      // Several statements in one text can only be sent without values.
      const result = values.length === 0 ? await on.query<Row>(sql) : await on.query<Row>(sql, values.map(storable))
      return result.rows
    }
  }

  async function connect(): Promise<PoolClient> {
    const client = await pool.connect()
    // Without a listener a broken connection would end the process; the running query rejects anyway.
    if (client.listenerCount('error') === 0) client.on('error', ignore)
    return client
  }

  const query = queryOf(pool)
  return {
    query: (sql, values) => attempt(() => query(sql, values)),
    transaction: (work) =>
      attempt(async () => {
        const client = await connect()
        let broken: Error | undefined
        try {
          await client.query(begin(idleMs))
          const result = await work(queryOf(client))
          const { command } = await client.query('COMMIT')
          // After an error inside the transaction, COMMIT succeeds by rolling back.
          if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
          return result
        } catch (error) {
          await client.query('ROLLBACK').catch((failed: unknown) => (broken = failed as Error))
          throw error
        } finally {
          client.release(broken)
        }
      }),
    async connect() {
      const client = await connect()
      return { query: queryOf(client), release: (broken) => client.release(broken) }
    },
    close: () => (ended ??= pool.end()),
  }
}

const ignore = (): void => {}
