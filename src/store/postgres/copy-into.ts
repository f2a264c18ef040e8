import type { AuditRow } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { COPIED_TABLES, type CopyProgress, type CopyReport, type CopySource } from '../copied.ts'
import { headAfter, NO_HEAD, sealChain } from '../seal.ts'
import { sealedRows } from './audit.ts'
import { sentRows, type SentRows } from './copy-rows.ts'
import { openDatabase, type DatabaseOptions, type Query } from './database.ts'
import { LIVING } from './living.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { migrate } from './migrations/migrate.ts'

export interface CopyOptions extends DatabaseOptions {
  readonly onProgress?: (progress: CopyProgress) => void
}

/** Columns whose sequences must continue after the copied values. */
const NUMBERED = [
  ['sessions', 'num'],
  ['audit', 'id'],
  ['jobs', 'id'],
  ['documents', 'num'],
  ['chunks', 'num'],
  ['outbox', 'place'],
] as const

/** Copies a store into an empty database, reads all of it back and compares, in one transaction. */
export async function copyInto(source: CopySource, options: CopyOptions): Promise<CopyReport> {
  const database = openDatabase({ ...options, connections: 1, idleMs: 0 })
  try {
    await migrate(database, MIGRATIONS)
    return await database.transaction(async (query) => {
      await checkEmpty(query)
      await putAll(query, source, options.onProgress)
      return compareAll(query, source, options.onProgress)
    })
  } finally {
    await database.close()
  }
}

/** Locks the cluster row, so that no node joins and no other copy begins until this one ends. */
async function checkEmpty(query: Query): Promise<void> {
  await query('SELECT FROM cluster FOR UPDATE')
  const [node] = await query(`SELECT FROM nodes WHERE ${LIVING}`)
  if (node)
    throw new Problem('STORE_BUSY', 'A Segno uses the database of SEGNO_DATABASE_URL. Stop all of its nodes first.')
  const tables = COPIED_TABLES.map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${table})`)
  const [used] = await query<{ name: string }>(tables.join(' UNION ALL '))
  if (used) {
    throw new Problem(
      'CONFLICT',
      `The database of SEGNO_DATABASE_URL is not empty: there are ${used.name} in it. Nothing was copied. ` +
        'Create a new one, such as with createdb, and name that.',
    )
  }
}

async function putAll(query: Query, source: CopySource, onProgress: CopyOptions['onProgress']): Promise<void> {
  for await (const sent of everything(source, 'copying', onProgress)) {
    const columns = columnsOf(sent)
    await query(
      `INSERT INTO ${sent.table} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
         SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${sent.table}, $1)`,
      [JSON.stringify(sent.rows)],
    )
  }
  for (const [table, column] of NUMBERED) {
    await query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) FROM ${table} HAVING count(*) > 0`,
    )
  }
  await query(
    `UPDATE audit_head SET (seq, hash) = (SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1) WHERE EXISTS (SELECT FROM audit)`,
  )
  // Reserved amounts are a counter here, and a sum of open reservations in the source.
  await query(
    `INSERT INTO spent AS t (tenant, user_id, day, held_tokens, held_tool_cost, held_cost)
       SELECT tenant, user_id, day, sum(tokens), coalesce(sum(cost) FILTER (WHERE what = 'tool'), 0), sum(cost)
       FROM reservations WHERE settled_at IS NULL GROUP BY tenant, user_id, day
     ON CONFLICT (tenant, user_id, day) DO UPDATE SET held_tokens = excluded.held_tokens,
       held_tool_cost = excluded.held_tool_cost, held_cost = excluded.held_cost`,
  )
}

async function compareAll(
  query: Query,
  source: CopySource,
  onProgress: CopyOptions['onProgress'],
): Promise<CopyReport> {
  const counts = new Map<string, number>()
  for await (const sent of everything(source, 'comparing', onProgress)) {
    await compare(query, sent)
    counts.set(sent.table, (counts.get(sent.table) ?? 0) + sent.rows.length)
  }
  for (const [table, copied] of counts) {
    const [row] = await query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)
    // `spent` may have rows that only count reserved amounts.
    if (row?.n !== copied && table !== 'spent') throw differs(table)
  }
  const [events] = await query<{ n: number }>('SELECT coalesce(sum(n), 0) AS n FROM events')
  return {
    sessions: counts.get('sessions') ?? 0,
    events: events?.n ?? 0,
    files: counts.get('blobs') ?? 0,
    sealed: await checkSeals(query, source),
    rows: [...counts.values()].reduce((sum, n) => sum + n, 0),
    tables: COPIED_TABLES.length,
  }
}

/** Every value of every row must be what was sent. */
async function compare(query: Query, sent: SentRows): Promise<void> {
  const columns = columnsOf(sent)
  const sameKey = sent.key.map((column) => `t.${column} = r.${column}`).join(' AND ')
  const side = (name: string): string => `ROW(${columns.map((column) => `${name}.${column}`).join(', ')})`
  const [row] = await query<{ same: number }>(
    `SELECT count(*) AS same FROM json_populate_recordset(NULL::${sent.table}, $1) r JOIN ${sent.table} t ON ${sameKey}
       WHERE ${side('t')} IS NOT DISTINCT FROM ${side('r')}`,
    [JSON.stringify(sent.rows)],
  )
  if (row?.same !== sent.rows.length) throw differs(sent.table)
}

/** Recomputes the seals from what is stored; the last must be that of the source. */
async function checkSeals(query: Query, source: CopySource): Promise<CopyReport['sealed']> {
  const chain = sealChain()
  for await (const page of sealedRows(query)) page.forEach(chain.add)
  const [fault] = chain.faults
  if (fault !== undefined) throw new Problem('STORE_CORRUPT', `The audit log cannot be copied: ${fault}.`)
  const head = chain.head()
  let last = NO_HEAD
  for (const rows of source.rows('audit')) last = headAfter(rows.at(-1) as unknown as AuditRow)
  if (last.seq !== head.seq || last.hash !== head.hash) throw differs('audit')
  return head
}

async function* everything(
  source: CopySource,
  doing: CopyProgress['doing'],
  onProgress: CopyOptions['onProgress'] = () => {},
): AsyncGenerator<SentRows> {
  const total = COPIED_TABLES.reduce((sum, table) => sum + source.count(table), 0)
  let done = 0
  for (const table of COPIED_TABLES) {
    for (const rows of source.rows(table)) {
      for (const sent of sentRows(table, rows)) if (sent.rows.length > 0) yield sent
      done += rows.length
      onProgress({ doing, done, total })
    }
  }
}

const columnsOf = ({ rows }: SentRows): string[] => Object.keys(rows[0] ?? {})

const differs = (table: string): Problem =>
  new Problem(
    'STORE_CORRUPT',
    `What was copied is not what was read back from the database (${table}). Nothing was kept; try again.`,
  )
