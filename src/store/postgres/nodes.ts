import { Problem } from '../../contract/problem.ts'
import type { NewNode, NodeRow, NodeStore, Taken } from '../nodes.ts'
import type { Database, Query } from './database.ts'
import { LIVING, NOT_GONE } from './living.ts'
import { tooNew } from './migrations/migrate.ts'

/** How long the row of a dead node stays for diagnosis. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** The schema version that every living node knows; null if there is none. */
export const KNOWN_TO_ALL = `SELECT min(version) AS known FROM nodes WHERE ${LIVING}`

interface Row {
  readonly id: string
  readonly url: string | null
  readonly release: string
  readonly joined_at: number
  readonly seen_at: number
  readonly until: number
  readonly sessions: number
  readonly rounds: number
  readonly slots: number
}

/** All times are taken and compared by the server; `version` is the schema version this node knows. */
export function nodeStore({ query, transaction }: Database, version: number): NodeStore {
  return {
    join: (node) =>
      transaction(async (ask) => {
        const cluster = await checkCluster(ask, node.secretHash, version)
        if (node.replaces.length > 0)
          await ask('UPDATE nodes SET evicted = true WHERE id = ANY ($1) AND left_at IS NULL', [node.replaces])
        const taken = await takenBy(ask, node)
        if (taken) return taken
        await ask(
          `DELETE FROM nodes WHERE (evicted OR left_at IS NOT NULL) AND seen_at < now_ms() - $1
             AND NOT EXISTS (SELECT FROM heads WHERE owner = nodes.id)`,
          [KEPT_MS],
        )
        const [row] = await ask<{ now: number; until: number }>(
          `INSERT INTO nodes (id, url, release, version, joined_at, seen_at, until)
             SELECT $1, $2, $3, $4, now, now, now + $5 FROM now_ms() AS now
             RETURNING seen_at AS now, until`,
          [node.id, node.address ?? null, node.version, version, node.leaseMs],
        )
        if (!row) throw new Error('a node was not stored')
        return { kind: 'joined', cluster, ...row } as const
      }),

    async renew(id, leaseMs, { sessions, rounds, slots }) {
      const [row] = await query<{ now: number; until: number | null }>(
        `WITH renewed AS (
           UPDATE nodes SET seen_at = now, until = now + $2, sessions = $3, rounds = $4, slots = $5 FROM now_ms() AS now
             WHERE id = $1 AND ${NOT_GONE} RETURNING until)
         SELECT now_ms() AS now, (SELECT until FROM renewed) AS until`,
        [id, leaseMs, sessions, rounds, slots],
      )
      const { now = 0, until = null } = row ?? {}
      return until === null ? { kind: 'evicted', now } : { kind: 'renewed', now, until }
    },

    async evict() {
      const rows = await query<{ id: string }>(`${EVICT} RETURNING id`)
      return rows.map((row) => row.id)
    },

    async leave(id) {
      await query(`UPDATE nodes SET left_at = now_ms() WHERE id = $1 AND ${NOT_GONE}`, [id])
    },

    async nodes() {
      const rows = await query<{ now: number; id: string | null; known: number | null }>(
        `SELECT now, (${KNOWN_TO_ALL}) AS known, nodes.* FROM now_ms() AS now LEFT JOIN nodes ON ${NOT_GONE} ORDER BY joined_at, id`,
      )
      const found = rows.flatMap((row) => (row.id === null ? [] : [nodeOf(row as unknown as Row)]))
      return { now: rows[0]?.now ?? 0, nodes: found, knownToAll: rows[0]?.known ?? version }
    },
  }
}

// If the row is renewed meanwhile, the UPDATE waits and checks the condition again.
const EVICT = `UPDATE nodes SET evicted = true WHERE ${NOT_GONE} AND until <= now_ms()`

/** The cluster's id; its row stays locked until the end, so that nodes join one after the other. */
async function checkCluster(ask: Query, secret: string | undefined, version: number): Promise<string> {
  const [row] = await ask<{ id: string; secret: string | null; oldest: number }>(
    'SELECT id, secret, oldest FROM cluster FOR UPDATE',
  )
  if (!row) throw new Problem('STORE_CORRUPT', 'The database does not say which cluster it belongs to.')
  if (row.oldest > version) throw tooNew(row.oldest, version)
  if (row.secret === null && secret !== undefined) await ask('UPDATE cluster SET secret = $1', [secret])
  if (row.secret === null || row.secret === secret) return row.id
  throw new Problem(
    'CONFIG_ERROR',
    secret === undefined
      ? 'This database belongs to a cluster with a secret. Set SEGNO_CLUSTER_SECRET to the same as on its other nodes, and SEGNO_NODE_URL.'
      : 'Another cluster uses this database: its SEGNO_CLUSTER_SECRET is not the one set here. Check SEGNO_DATABASE_URL and SEGNO_CLUSTER_SECRET.',
  )
}

/** The living node that this one cannot live beside. */
async function takenBy(ask: Query, { address }: NewNode): Promise<Taken | undefined> {
  if (address === undefined) await ask(EVICT)
  const [other] = await ask<{ id: string; url: string | null; until: number; now: number }>(
    `SELECT id, url, until, now FROM nodes, now_ms() AS now
       WHERE ${NOT_GONE} AND until > now AND ($1 OR url IS NULL) ORDER BY until DESC LIMIT 1`,
    [address === undefined],
  )
  if (!other) return undefined
  return { kind: 'taken', by: other.id, hasAddress: other.url !== null, now: other.now, until: other.until }
}

function nodeOf({ id, url, release, joined_at, seen_at, until, ...load }: Row): NodeRow {
  const times = { joinedAt: joined_at, seenAt: seen_at, until }
  const { sessions, rounds, slots } = load
  return { id, address: url ?? undefined, version: release, ...times, sessions, rounds, slots }
}
