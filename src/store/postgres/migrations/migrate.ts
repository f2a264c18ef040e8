import { Problem } from '../../../contract/problem.ts'
import { delay } from '../../../lib/delay.ts'
import type { Schema } from '../../upkeep.ts'
import type { Database, Query } from '../database.ts'
import { LIVING } from '../living.ts'
import { isLockTimeout } from '../postgres-problem.ts'

/**
 * A step to the next version. Older nodes keep running, so it only adds; one that removes something names the `oldest`
 * version that no longer uses it, and waits until older nodes are gone.
 */
export type Migration = string | { readonly sql: string; readonly oldest: number }

export interface MigrateOptions {
  /** how long a statement may wait for a lock, since all others queue up behind it */
  readonly lockMs?: number
  /** how long it is retried after lock timeouts */
  readonly mostMs?: number
}

/** The advisory lock of migrations, an arbitrary constant. */
const LOCK = 7_340_166
const LOCK_MS = 2000
const AGAIN_MS = 200
const MOST_MS = 60_000

/** Which cluster's database this is, its version, and the oldest version that may use it. */
const CLUSTER = `CREATE TABLE cluster (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id text NOT NULL,
  secret text,
  schema integer NOT NULL,
  oldest integer NOT NULL DEFAULT 0
);
INSERT INTO cluster (id, schema) VALUES (gen_random_uuid()::text, 0)`

interface Versions {
  readonly schema: number
  readonly oldest: number
}

/** Migrates the database to the version this node knows, one node at a time; a newer one is left as it is. */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { lockMs = LOCK_MS, mostMs = MOST_MS }: MigrateOptions = {},
): Promise<Schema> {
  const known = migrations.length
  const there = await versionsIn(database.query)
  if (there && there.schema >= known) return checked(there, known)
  const until = performance.now() + mostMs
  for (;;) {
    try {
      return await database.transaction((query) => migrateIn(query, migrations, lockMs))
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > until) throw error
      await delay(AGAIN_MS)
    }
  }
}

async function migrateIn(query: Query, migrations: readonly Migration[], lockMs: number): Promise<Schema> {
  await query(`SET LOCAL lock_timeout = ${lockMs}`)
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  if (!(await versionsIn(query))) await query(CLUSTER)
  // Locked until the end, so that no node joins meanwhile.
  const [found] = await query<Versions>('SELECT schema, oldest FROM cluster FOR UPDATE')
  if (!found) throw new Problem('STORE_CORRUPT', 'The database does not say which cluster it belongs to.')
  checked(found, migrations.length)
  let { schema, oldest } = found
  for (const [i, migration] of migrations.entries()) {
    if (i < found.schema) continue
    if (typeof migration === 'string') await query(migration)
    else {
      const older = await livingBefore(query, migration.oldest)
      if (older.length > 0) {
        if (migrations.slice(i).some((one) => typeof one === 'string')) throw inUse(older, migration.oldest)
        break
      }
      await query(migration.sql)
      oldest = Math.max(oldest, migration.oldest)
    }
    schema = i + 1
  }
  await query('UPDATE cluster SET schema = $1, oldest = $2', [schema, oldest])
  return { found: found.schema, now: Math.max(found.schema, schema) }
}

/** Undefined if the database is empty. */
async function versionsIn(query: Query): Promise<Versions | undefined> {
  const [there] = await query<{ cluster: string | null; other: string | null }>(
    `SELECT to_regclass('cluster')::text AS cluster,
       (SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace LIMIT 1) AS other`,
  )
  if (there?.cluster == null) {
    if (there?.other == null) return undefined
    throw new Problem(
      'STORE_CORRUPT',
      'This database has tables of another program. Give Segno one of its own with SEGNO_DATABASE_URL.',
    )
  }
  const [row] = await query<Versions>('SELECT schema, oldest FROM cluster')
  return row
}

function checked({ schema, oldest }: Versions, known: number): Schema {
  if (oldest > known) throw tooNew(oldest, known, schema)
  return { found: schema, now: schema }
}

export function tooNew(oldest: number, known: number, schema = oldest): Problem {
  return new Problem(
    'STORE_TOO_NEW',
    `The database has version ${schema} and needs a Segno that knows at least version ${oldest}; this one knows versions up to ${known}. ` +
      'Use the newer Segno that the other nodes are, or restore a backup made before the upgrade.',
  )
}

/** The releases of living nodes that know less than this version. */
async function livingBefore(query: Query, version: number): Promise<string[]> {
  const rows = await query<{ release: string }>(
    `SELECT DISTINCT release FROM nodes WHERE version < $1 AND ${LIVING} ORDER BY release`,
    [version],
  )
  return rows.map(({ release }) => release)
}

function inUse(releases: readonly string[], oldest: number): Problem {
  return new Problem(
    'STORE_BUSY',
    `Older nodes (${releases.join(', ')}) use this database and cannot go on beside this Segno, which needs all others to know version ${oldest}. ` +
      'Stop them first, or upgrade them to the release before this one.',
  )
}
