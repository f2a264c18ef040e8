import { Client } from 'pg'
import { createScriptedModel } from '../../src/model/index.ts'
import { newId } from '../../src/lib/id.ts'
import type { Change } from '../../src/store/index.ts'
import { sentChange } from '../../src/store/postgres/sent-change.ts'
import { script, type Workload } from '../workloads.ts'

/** The least that keeps a round on a server: its streams read to their end, and the bare SQL of each of its commits. */
export interface PostgresFloor {
  /** A session that is there already. */
  prepare(): Promise<void>
  round(workload: Workload): Promise<void>
  close(): Promise<void>
}

interface Rows {
  readonly session?: object
  readonly new_rounds?: readonly object[]
  readonly rounds?: readonly { readonly set: object }[]
  readonly audit?: readonly { readonly tenant: string; readonly at: number; readonly body: string }[]
  readonly money?: readonly { readonly settles?: string; readonly day?: string; readonly tokens?: number }[]
}

type Value = string | number | null

/**
 * One statement for each commit, prepared by name, in a transaction of its own: the head with its condition, the row of
 * events, and whatever else this commit writes, with columns and values that are known before. It asks nothing, builds
 * nothing and is answered with nothing.
 */
export async function openPostgresFloor(url: string, changes: readonly Change[]): Promise<PostgresFloor> {
  const client = new Client(url)
  // A benchmark that was broken off says why, and not that its server is gone.
  client.on('error', () => undefined)
  await client.connect()
  const model = createScriptedModel(script)
  const first = changes[0]?.expected ?? 0
  const statements = changes.map((change, i) => statementOf(change, first, `commit ${i}`))
  let [session, requestId] = ['', '']

  async function readStream(message: string, call: number): Promise<void> {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: message }] }],
      providerOptions: { segno: { call } },
    })
    const reader = stream.getReader()
    while (!(await reader.read()).done);
  }

  return {
    async prepare() {
      ;[session, requestId] = [newId(), newId()]
      await client.query(`INSERT INTO sessions (id, tenant, owner) VALUES ($1, 'floor', 'floor')`, [session])
      await client.query(`INSERT INTO heads (session_id, owner, head) VALUES ($1, 'floor', 0)`, [session])
    },
    async round({ message, modelCalls }) {
      for (let call = 1; call <= modelCalls; call++) await readStream(message, call)
      for (const { name, text, values } of statements)
        await client.query({ name, text, values: [session, requestId, newId(), ...values] })
    },
    close: () => client.end(),
  }
}

function statementOf(change: Change, first: number, name: string): { name: string; text: string; values: Value[] } {
  const sent = sentChange(change, 'floor')
  const { session, new_rounds = [], rounds = [], audit = [], money = [] } = sent.row as Rows
  const values: Value[] = []
  // The session, the round and the id of the commit are the first three of every statement.
  const place = (value: unknown): string => `$${3 + values.push(value as Value)}`
  const typed = (column: string, value: unknown): string => `${place(value)}::${TYPES[column] ?? 'text'}`
  const assign = (set: object): string =>
    Object.entries(set)
      .map(([column, value]) => `${column} = ${typed(column, value)}`)
      .join()
  const head = change.expected - first
  const n = change.events.length
  const parts = [
    `own AS (UPDATE heads SET head = ${head + n} WHERE session_id = $1 AND owner = 'floor' AND epoch = 1
       AND head = ${head} RETURNING 1)`,
  ]
  if (session) parts.push(`s AS (UPDATE sessions SET ${assign(session)} FROM own WHERE id = $1)`)
  for (const [i, { request_id: _, ...columns }] of (new_rounds as readonly Record<string, unknown>[]).entries()) {
    const names = Object.keys(columns)
    const cells = names.map((column) => typed(column, columns[column]))
    parts.push(
      `r${i} AS (INSERT INTO rounds (session_id, request_id, ${names.join()}) SELECT $1, $2, ${cells.join()} FROM own)`,
    )
  }
  for (const [i, { set }] of rounds.entries())
    parts.push(`u${i} AS (UPDATE rounds SET ${assign(set)} FROM own WHERE request_id = $2 AND session_id = $1)`)
  for (const [i, { tenant, at, body }] of audit.entries()) {
    parts.push(
      `a${i} AS (INSERT INTO audit (tenant, at, body) SELECT ${place(tenant)}, ${at}, ${place(body)} FROM own)`,
    )
  }
  const spent = money.filter(({ settles, tokens = 0 }) => settles === 'spent' && tokens > 0)
  for (const [i, { day, tokens }] of spent.entries()) {
    parts.push(
      `m${i} AS (INSERT INTO spent AS t (tenant, user_id, day, tokens) SELECT 'floor', 'floor', ${place(day)}, ${tokens}
         FROM own ON CONFLICT (tenant, user_id, day) DO UPDATE SET tokens = t.tokens + excluded.tokens)`,
    )
  }
  const text = `WITH ${parts.join(',\n')}
    INSERT INTO events (session_id, seq, n, commit_id, body)
    SELECT $1, ${head + 1}, ${n}, $3, ${place(sent.body)} FROM own WHERE $2::text IS NOT NULL`
  return { name, text, values }
}

const TYPES: Readonly<Record<string, string>> = {
  start_seq: 'integer',
  end_seq: 'integer',
  cost: 'bigint',
  started_at: 'bigint',
  ended_at: 'bigint',
  waiting_until: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  used_at: 'bigint',
  archived: 'integer',
  deleted: 'integer',
}
