/** The tables that are copied into another store, in insertion order, with their keys; snapshots are made anew. */
export const COPIED = {
  sessions: ['id'],
  heads: ['session_id'],
  events: ['session_id', 'seq'],
  rounds: ['session_id', 'start_seq'],
  approvals: ['session_id', 'id'],
  calls: ['session_id', 'call_id'],
  inputs: ['session_id', 'n'],
  claims: ['key'],
  blobs: ['hash'],
  blob_refs: ['hash', 'session_id', 'seq'],
  entitlements: ['tenant', 'user_id'],
  spent: ['tenant', 'user_id', 'day'],
  reservations: ['session_id', 'seq'],
  audit: ['id'],
  jobs: ['id'],
  keys: ['id'],
  workspaces: ['id'],
  kept: ['area', 'key'],
  prompts: ['id'],
  preferences: ['tenant', 'user_id'],
  parts: ['hash'],
  part_refs: ['hash', 'session_id'],
  documents: ['num'],
  chunks: ['num'],
  chunk_vectors: ['chunk', 'model'],
  memories: ['id'],
  outbox: ['place'],
  automations: ['id'],
  invocations: ['id'],
  secrets: ['tenant', 'name'],
  secret_key: ['one'],
  providers: ['name'],
} as const

export type CopiedTable = keyof typeof COPIED
export const COPIED_TABLES = Object.keys(COPIED) as CopiedTable[]

/** A row by its columns; sessions are named by id. */
export type CopiedRow = Readonly<Record<string, string | number | null | Uint8Array>>

/** A store that is read as a whole while nothing writes to it. */
export interface CopySource {
  count(table: CopiedTable): number
  /** The rows of a table in batches, the same ones in the same order every time. */
  rows(table: CopiedTable): Iterable<readonly CopiedRow[]>
  close(): void
}

/** What was copied, read back and compared with the source. */
export interface CopyReport {
  readonly sessions: number
  readonly events: number
  readonly files: number
  /** the last row of the audit log */
  readonly sealed: { readonly seq: number; readonly hash: string }
  readonly rows: number
  readonly tables: number
}

export interface CopyProgress {
  readonly doing: 'copying' | 'comparing'
  readonly done: number
  readonly total: number
}
