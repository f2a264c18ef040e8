import { Problem } from '../../contract/problem.ts'
import type { Compacted, CompactOptions, UpkeepStore } from '../upkeep.ts'
import type { Base } from './base.ts'
import type { Query } from './database.ts'
import { checkStore } from './check-store.ts'
import { purgeIn } from './purge.ts'
import type { Sealer } from './seal-audit.ts'

const ERASED_AT_A_TIME = 500

const ERASED_FROM = [
  'events',
  'rounds',
  'snapshots',
  'inputs',
  'blob_parts',
  'blob_refs',
  'preferences',
  'parts',
  'part_refs',
  'documents',
  'chunks',
  'chunk_vectors',
  'memories',
  'outbox',
  'automations',
  'invocations',
]

// A node of an earlier version purges without erasing what parts are referred to, or what automations have.
const UNPURGED = `SELECT id FROM sessions s WHERE deleted = 1 AND (EXISTS
  (SELECT 1 FROM events e WHERE e.session_id = s.id) OR EXISTS
  (SELECT 1 FROM part_refs r WHERE r.session_id = s.id) OR EXISTS
  (SELECT 1 FROM invocations v WHERE v.session_id = s.id AND v.content IS NOT NULL) OR EXISTS
  (SELECT 1 FROM outbox o WHERE o.session_id = s.id)) ORDER BY id`

const UNNAMED_PARTS = `SELECT hash FROM parts p WHERE hash > $1
  AND NOT EXISTS (SELECT 1 FROM part_refs r WHERE r.hash = p.hash) ORDER BY hash LIMIT $2`

const UNNAMED_BLOBS = `SELECT hash FROM blobs b WHERE hash > $1
  AND NOT EXISTS (SELECT 1 FROM blob_refs r WHERE r.hash = b.hash)
  AND hash NOT IN (SELECT unnest(i.files) FROM inputs i WHERE i.files <> '{}') ORDER BY hash LIMIT $2`

type Upkeep = Pick<UpkeepStore, 'schema' | 'ping' | 'purge' | 'backup' | 'compact' | 'needsRewrite' | 'check'>

/** Aborting `closing` ends long work. */
export function upkeepStore(base: Base, sealing: Sealer, closing: AbortSignal): Upkeep {
  const { query, schema } = base
  const until = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, closing]) : closing
  const purge = purgeIn(base)

  async function compact({ signal, onProgress }: CompactOptions): Promise<Compacted> {
    const before = await sizeOf(query)
    const left = await query<{ id: string }>(UNPURGED)
    for (const [done, { id }] of left.entries()) {
      signal?.throwIfAborted()
      onProgress?.({ doing: 'compacting', done, total: left.length })
      await purge(id)
    }
    await eraseUnnamed(query, signal, UNNAMED_PARTS, 'erase_unnamed_parts')
    await eraseUnnamed(query, signal, UNNAMED_BLOBS, 'erase_unnamed')
    await vacuum(query, signal)
    const size = await sizeOf(query)
    return { before, after: size, freed: before - size, needsRewrite: false }
  }

  return {
    schema,
    async ping(at) {
      await query('UPDATE pulse SET at = greatest(at, $1)', [at])
    },
    purge,
    backup: () =>
      Promise.reject(
        new Problem(
          'NOT_ENABLED',
          'A database on PostgreSQL is backed up with the tools of its server, while Segno runs: pg_dump for a copy, or pg_basebackup with the write-ahead log for any moment. docs/cluster.md says how.',
        ),
      ),
    compact: (options = {}) => compact({ ...options, signal: until(options.signal) }),
    needsRewrite: () => false,
    async check(options = {}) {
      await sealing.sealAll()
      return checkStore(base, { ...options, signal: until(options.signal) })
    },
  }
}

/** Blobs and parts are stored with what names them, so normally there are none. */
async function eraseUnnamed(
  query: Query,
  signal: AbortSignal | undefined,
  unnamed: string,
  erase: 'erase_unnamed' | 'erase_unnamed_parts',
): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined;) {
    signal?.throwIfAborted()
    const hashes: string[] = (await query<{ hash: string }>(unnamed, [last, ERASED_AT_A_TIME])).map(({ hash }) => hash)
    if (hashes.length > 0) await query(`SELECT ${erase}($1)`, [hashes])
    last = hashes.at(-1)
  }
}

/** The server also vacuums by itself, so failures do not matter. */
async function vacuum(query: Query, signal: AbortSignal | undefined): Promise<void> {
  for (const table of ERASED_FROM) {
    signal?.throwIfAborted()
    await query(`VACUUM ${table}`).catch(() => {})
  }
}

async function sizeOf(query: Query): Promise<number> {
  const [row] = await query<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
  return row?.bytes ?? 0
}
