import { isStoreAway, Problem } from '../../contract/problem.ts'
import { openDatabase, type DatabaseOptions, type Query } from './database.ts'
import { LIVING } from './living.ts'
import { codeOf } from './postgres-problem.ts'
import { findPgvector } from './vectors.ts'

const OLDEST = 15

/** Throws if this server cannot be used. */
export async function checkServer(query: Query): Promise<void> {
  const [server] = await query<{ version: number; encoding: string; isReadOnly: boolean }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
  )
  if (!server) return
  const { version, encoding, isReadOnly } = server
  if (version < OLDEST) throw unfit(`The database is PostgreSQL ${version}; Segno needs ${OLDEST} or newer.`)
  if (encoding !== 'UTF8')
    throw unfit(
      `The database of SEGNO_DATABASE_URL keeps its text as ${encoding}. Make one for Segno with ENCODING 'UTF8'.`,
    )
  if (isReadOnly)
    throw new Problem(
      'STORE_UNAVAILABLE',
      'The database cannot be used now: it is read-only, as a standby is. Give SEGNO_DATABASE_URL the server that may write.',
    )
}

const unfit = (why: string): Problem => new Problem('CONFIG_ERROR', why)

/** At the start, errors that waiting does not fix are mistakes in the settings. */
export function asStartProblem(error: unknown): unknown {
  if (!isStoreAway(error)) return error
  const isWrong = /^(28|3D|42501)/.test(codeOf(error.cause) ?? '')
  return isWrong ? new Problem('CONFIG_ERROR', error.message, { cause: error.cause }) : error
}

export interface CheckedDatabase {
  /** that live */
  readonly nodes: number
  readonly pgvector: 'added' | 'offered' | 'missing'
}

/** Checks the database without changing it. */
export async function checkDatabase(options: DatabaseOptions): Promise<CheckedDatabase> {
  const database = openDatabase(options)
  try {
    await checkServer(database.query)
    const pgvector = await findPgvector(database.query)
    const [there] = await database.query<{ isThere: boolean }>(`SELECT to_regclass('nodes') IS NOT NULL AS "isThere"`)
    if (there?.isThere !== true) return { nodes: 0, pgvector }
    const [row] = await database.query<{ nodes: number }>(`SELECT count(*) AS nodes FROM nodes WHERE ${LIVING}`)
    return { nodes: row?.nodes ?? 0, pgvector }
  } catch (error) {
    throw asStartProblem(error)
  } finally {
    await database.close()
  }
}
