import { keyOf } from '../../lib/key-of.ts'
import {
  changedMemoryColumns,
  MEMORY_COLUMNS,
  memoryOfRow,
  NEW_MEMORY_COLUMNS,
  newMemoryValues,
  type MemoryRow,
} from '../memory-row.ts'
import type { MemoryStore } from '../memories.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import { bytesOfVector } from '../vector-bytes.ts'
import { record, type Base } from './base.ts'
import type { Query } from './database.ts'
import { appendOutbox, eraseOutboxOf } from './outbox.ts'

const INSERT = `INSERT INTO memories (${NEW_MEMORY_COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  ON CONFLICT (id) DO NOTHING RETURNING ${MEMORY_COLUMNS}`

const NEWEST = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE tenant = $1 AND user_id = $2 AND num < $3
  AND ($4::text IS NULL OR status = $4) ORDER BY num DESC LIMIT $5`

/** Held until the end of the transaction by whoever adds one to those of a user, who has looked at all of them. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
const LATEST = 'SELECT id FROM memories WHERE tenant = $1 AND user_id = $2 ORDER BY num DESC LIMIT 1'

// Only a memory of the same user can be replaced.
const REPLACE = `UPDATE memories SET status = 'replaced', revision = revision + 1, updated_at = greatest(updated_at, $1)
  WHERE id = $2 AND tenant = $3 AND user_id = $4 AND status <> 'replaced'`

// A memory and all that it replaced, of the same user.
const DELETE = `WITH RECURSIVE chain AS (
    SELECT id, tenant, user_id, supersedes FROM memories WHERE id = $1
    UNION
    SELECT m.id, m.tenant, m.user_id, m.supersedes FROM chain JOIN memories m
      ON m.id = chain.supersedes AND m.tenant = chain.tenant AND m.user_id = chain.user_id)
  DELETE FROM memories WHERE id IN (SELECT id FROM chain) RETURNING id`

export function memoryStore({ query, transaction }: Base): MemoryStore {
  return {
    putMemory: (memory, extras) =>
      transaction(async (within) => {
        const { id, tenant, userId, supersedes, createdAt } = memory
        await within(LOCK, [keyOf('memories', tenant, userId)])
        const [{ id: latest } = { id: null }] = await within<{ id: string | null }>(LATEST, [tenant, userId])
        const { newest = latest } = extras ?? {}
        if (newest !== latest) return viewOf(await rowOf(within, id), memoryOfRow)
        const [row] = await within<MemoryRow>(INSERT, newMemoryValues(memory))
        if (!row) return known(within, id)
        if (supersedes !== undefined) await within(REPLACE, [createdAt, supersedes, tenant, userId])
        await record(within, extras?.audit ?? [])
        await appendOutbox(within, extras?.outbox)
        return memoryOfRow(row)
      }),
    async memory(id) {
      return viewOf(await rowOf(query, id), memoryOfRow)
    },
    async memories({ tenant, userId, status = null, limit = 50, cursor }) {
      const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
      const rows = await query<MemoryRow>(NEWEST, [tenant, userId, place, status, limit + 1])
      return pageOf(rows, limit, memoryOfRow, ({ num }) => num)
    },
    changeMemory: (id, revision, changes, at, records = []) =>
      transaction(async (within) => {
        const columns = changedMemoryColumns(changes)
        const [row] = await within<MemoryRow>(
          `UPDATE memories SET ${columns.map(([column], i) => `${column} = $${i + 4}, `).join('')}
             revision = revision + 1, updated_at = greatest(updated_at, $3)
           WHERE id = $1 AND revision = $2 RETURNING ${MEMORY_COLUMNS}`,
          [id, revision, at, ...columns.map(([, value]) => value)],
        )
        if (row) await record(within, records)
        return viewOf(row, memoryOfRow)
      }),
    async putMemoryVector(id, { model, values }) {
      await query('UPDATE memories SET model = $2, vector = $3 WHERE id = $1', [id, model, bytesOfVector(values)])
    },
    deleteMemory: (id, records = []) =>
      transaction(async (within) => {
        const gone = await within(DELETE, [id])
        if (gone.length > 0) await record(within, records)
        return gone.length > 0
      }),
    forgetMemories: (tenant, userId, records = []) =>
      transaction(async (within) => {
        const gone = await within('DELETE FROM memories WHERE tenant = $1 AND user_id = $2 RETURNING id', [
          tenant,
          userId,
        ])
        await eraseOutboxOf(within, tenant, userId, 'memory.created')
        await record(within, records)
        return gone.length
      }),
    async memoryTexts(tenant, userId, ids) {
      const rows = await query<{ id: string; content: string }>(
        'SELECT id, content FROM memories WHERE id = ANY ($3) AND tenant = $1 AND user_id = $2',
        [tenant, userId, ids],
      )
      return new Map(rows.map((row) => [row.id, row.content]))
    },
  }
}

async function known(query: Query, id: string): Promise<ReturnType<typeof memoryOfRow>> {
  const row = await rowOf(query, id)
  if (!row) throw new Error('a memory was deleted while it was put again')
  return memoryOfRow(row)
}

async function rowOf(query: Query, id: string): Promise<MemoryRow | undefined> {
  return (await query<MemoryRow>(`SELECT ${MEMORY_COLUMNS} FROM memories WHERE id = $1`, [id]))[0]
}
