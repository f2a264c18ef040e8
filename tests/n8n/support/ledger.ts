import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { withClient } from '../../support/postgres/with-client.ts'

/** What the example keeps, and what its work did: without a unique column, so that work done twice shows. */
export interface Ledger {
  row(key: string): Promise<Row | undefined>
  /** The executions that did the work of a key, in order. */
  done(key: string): Promise<readonly Done[]>
  /** all keys whose work was done, and how often */
  counts(): Promise<readonly { key: string; times: number }[]>
}

interface Row {
  readonly execution: string
  readonly output: unknown
}

interface Done {
  readonly execution: string
  /** where the execution can be told to go on */
  readonly resumeUrl: string
}

const EXAMPLE = join(import.meta.dirname, '../../../examples/n8n/ledger.sql')

export async function makeLedger(url: string): Promise<Ledger> {
  const query = async <R extends object>(sql: string, values: unknown[] = []): Promise<R[]> =>
    withClient(url, async (client: Client) => (await client.query<R>(sql, values)).rows)
  await query(readFileSync(EXAMPLE, 'utf8'))
  await query('CREATE TABLE work (key text, execution text, resume_url text, at timestamptz DEFAULT clock_timestamp())')
  return {
    row: async (key) => (await query<Row>('SELECT execution, output FROM segno_ledger WHERE key = $1', [key]))[0],
    done: (key) =>
      query<Done>('SELECT execution, resume_url AS "resumeUrl" FROM work WHERE key = $1 ORDER BY at', [key]),
    counts: () => query('SELECT key, count(*)::int AS times FROM work GROUP BY key ORDER BY min(at)'),
  }
}
