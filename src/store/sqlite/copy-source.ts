import type { CopiedRow, CopiedTable, CopySource } from '../copied.ts'
import { eventKey } from './event-rows.ts'
import { openDatabase, type SqliteOptions } from './open-database.ts'

/** The limits of one batch: rows, and characters or bytes. */
const MOST_ROWS = 500
const MOST_SIZE = 4_000_000

const SESSION = eventKey(1, 0)
const idOf = (num: string): string => `(SELECT id FROM sessions WHERE num = ${num}) AS session_id`
const idOfKey = (key: string): string => idOf(`${key} / ${SESSION}`)

/** Where the order of rows matters, it is the order of insertion. */
const SELECT: Readonly<Record<CopiedTable, string>> = {
  sessions: `SELECT num, id, (SELECT id FROM sessions p WHERE p.num = s.parent) AS parent, parent_seq, tenant, owner,
    workspace, alias, title, model, protocol, params, archived, deleted, created_at, updated_at, used_at
    FROM sessions s ORDER BY num`,
  heads: `SELECT id AS session_id, epoch, deleted, (SELECT count(*) FROM inputs WHERE session = s.num) AS inbox,
    coalesce((SELECT key % ${SESSION} + n - 1 FROM events
      WHERE key >= s.num * ${SESSION} AND key < (s.num + 1) * ${SESSION} ORDER BY key DESC LIMIT 1), parent_seq, 0) AS head
    FROM sessions s ORDER BY num`,
  events: `SELECT ${idOfKey('e.key')}, key % ${SESSION} AS seq, n, body FROM events e ORDER BY key`,
  rounds: `SELECT ${idOfKey('r.key')}, request_id, tenant, owner, start_seq, end_seq, state, waiting_for, waiting_until,
    protocol, mode, model, usage, cost, finish_reason, started_at, ended_at FROM rounds r ORDER BY started_at, key`,
  approvals: `SELECT id, ${idOf('a.session')}, tenant, owner, request_id, call_id, tool, args, target, reason,
    rememberable, question, shown, status, requested_at, expires_at, decided_by FROM approvals a ORDER BY rowid`,
  calls: `SELECT call_id, ${idOf('c.session')}, tenant, owner, request_id, tool, signature, outcome, effect, ended_at,
    reconciled FROM calls c ORDER BY rowid`,
  inputs: `SELECT s.id AS session_id, row_number() OVER (PARTITION BY i.session ORDER BY i.rowid) AS n, i.id, i.key,
    s.tenant, s.owner, i.at, i.seen, i.body FROM inputs i JOIN sessions s ON s.num = i.session
    ORDER BY i.session, i.rowid`,
  claims: `SELECT key, hash, result, ${idOf('c.session')}, created_at FROM claims c ORDER BY key`,
  blobs: 'SELECT hash, bytes FROM blobs ORDER BY hash',
  blob_refs: `SELECT hash, ${idOf('r.session')}, seq FROM blob_refs r ORDER BY hash, session, seq`,
  entitlements: `SELECT tenant, user_id, daily_tokens, daily_tool_cost, daily_cost, updated_at FROM entitlements
    ORDER BY tenant, user_id`,
  spent: 'SELECT tenant, user_id, day, tokens, tool_cost, cost FROM spent ORDER BY tenant, user_id, day',
  reservations: `SELECT ${idOf('r.session')}, key % ${SESSION} AS seq, what, about, tenant, user_id, day, tool, tokens,
    cost, at, settled_at, spent_tokens, spent_cost FROM reservations r ORDER BY key`,
  audit: 'SELECT seq, tenant, at, body, hash FROM audit ORDER BY seq',
  jobs: 'SELECT id, kind, payload, run_at, attempts, parked_at, reason FROM jobs ORDER BY id',
  keys: `SELECT id, tenant, user_id, name, role, scopes, operator, hash, created_at, expires_at, revoked_at FROM keys
    ORDER BY id`,
  workspaces: `SELECT id, tenant, name, folder, folder_by_owner, instructions, instructions_by, instructions_trusted,
    models, mcp_servers, files, dynamic_context, prompt_settings, created_at, updated_at FROM workspaces ORDER BY id`,
  kept: 'SELECT area, key, value, at FROM kept ORDER BY area, key',
  prompts: `SELECT id, tenant, workspace_id, name, version, content, status, author, editors, reviewer, self_approved,
    reason, tokens, created_at, updated_at, activated_at, revision FROM prompts ORDER BY num`,
  preferences: 'SELECT tenant, user_id, body, version, salt, updated_at FROM preferences ORDER BY tenant, user_id',
  parts: 'SELECT hash, tenant, owner, salt, text FROM parts ORDER BY hash',
  part_refs: `SELECT hash, ${idOf('r.session')}, seq FROM part_refs r ORDER BY hash, session`,
  documents: `SELECT num, id, tenant, workspace_id, title, content_type, source, version, status, published_version, author,
    editors, reviewer, self_approved, reason, hash, bytes, chunks, created_at, updated_at, published_at, revision
    FROM documents ORDER BY num`,
  // Chunks that no version names are being erased.
  chunks: `SELECT c.num, v.document, v.version, c.chunk, c.place, c.text FROM chunks c
    JOIN document_versions v ON v.body = c.body ORDER BY c.num`,
  chunk_vectors: `SELECT x.chunk, x.model, x.vector FROM chunk_vectors x JOIN chunks c ON c.num = x.chunk
    JOIN document_versions v ON v.body = c.body ORDER BY x.chunk, x.model`,
  memories: `SELECT id, tenant, user_id, content, category, importance, status, method, source, session_id, event_id,
    supersedes, model, vector, created_at, updated_at, revision FROM memories ORDER BY num`,
  outbox: 'SELECT place, id, type, tenant, user_id, session_id, at, depth, payload FROM outbox ORDER BY place',
  automations: `SELECT id, tenant, kind, name, status, created_by, due_at, revision, created_at, body FROM automations
    ORDER BY num`,
  invocations: `SELECT id, tenant, automation_id, key, origin, origin_id, user_id, session_id, created_at, status, due_at, ended_at,
    revision, body, content FROM invocations ORDER BY num`,
  secrets: 'SELECT tenant, name, key_id, encrypted, updated_at FROM secrets ORDER BY tenant, name',
  secret_key: 'SELECT one, id FROM secret_key',
  providers: 'SELECT name, body, updated_at FROM providers ORDER BY name',
}

/** Opens a file for this process alone, to copy it into another store. */
export function sqliteSource(options: SqliteOptions): CopySource {
  const { db } = openDatabase(options)
  return {
    count: (table) =>
      (db.prepare(`SELECT count(*) AS n FROM ${table === 'heads' ? 'sessions' : table}`).get() as { n: number }).n,
    *rows(table) {
      let some: CopiedRow[] = []
      let size = 0
      for (const row of db.prepare(SELECT[table]).iterate() as Iterable<unknown> as Iterable<CopiedRow>) {
        some.push(row)
        size += sizeOf(row)
        if (some.length < MOST_ROWS && size < MOST_SIZE) continue
        yield some
        some = []
        size = 0
      }
      if (some.length > 0) yield some
    },
    close: () => db.close(),
  }
}

function sizeOf(row: CopiedRow): number {
  let size = 0
  for (const value of Object.values(row)) if (value !== null && typeof value !== 'number') size += value.length
  return size
}
