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
import type { Base } from './base.ts'

export function memoryStore({ db, group, record, outbox, reading, emptyLog }: Base): MemoryStore {
  const insert = db.prepare(
    `INSERT INTO memories (${NEW_MEMORY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING ${MEMORY_COLUMNS}`,
  )
  const byId = db.prepare(`SELECT ${MEMORY_COLUMNS} FROM memories WHERE id = ?`)
  const newest = db.prepare(
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE tenant = ? AND user_id = ? AND num < ? AND (? IS NULL OR status = ?)
     ORDER BY num DESC LIMIT ?`,
  )
  const latest = db.prepare('SELECT id FROM memories WHERE tenant = ? AND user_id = ? ORDER BY num DESC LIMIT 1')
  // Only a memory of the same user can be replaced.
  const replace = db.prepare(
    `UPDATE memories SET status = 'replaced', revision = revision + 1, updated_at = ?
     WHERE id = ? AND tenant = ? AND user_id = ? AND status <> 'replaced'`,
  )
  const putVector = db.prepare('UPDATE memories SET model = ?, vector = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM memories WHERE id = ?')
  const removeAll = db.prepare('DELETE FROM memories WHERE tenant = ? AND user_id = ?')
  const text = db.prepare('SELECT id, content FROM memories WHERE id = ? AND tenant = ? AND user_id = ?')

  const rowOf = (id: string): MemoryRow | undefined => byId.get(id) as unknown as MemoryRow | undefined

  /** A memory and all that it replaced, of the same user. */
  function chain(first: MemoryRow): string[] {
    const ids = new Set<string>()
    for (let row: MemoryRow | undefined = first; row && !ids.has(row.id);) {
      ids.add(row.id)
      const before: MemoryRow | undefined = row.supersedes === null ? undefined : rowOf(row.supersedes)
      row = before?.tenant === first.tenant && before.userId === first.userId ? before : undefined
    }
    return [...ids]
  }

  return {
    putMemory: (memory, extras) =>
      group.run((onRollback) => {
        const known = rowOf(memory.id)
        if (known) return memoryOfRow(known)
        const { id = null } = (latest.get(memory.tenant, memory.userId) ?? {}) as { id?: string }
        const { newest = id } = extras ?? {}
        if (newest !== id) return undefined
        const row = insert.get(...newMemoryValues(memory)) as unknown as MemoryRow
        if (memory.supersedes !== undefined)
          replace.run(memory.createdAt, memory.supersedes, memory.tenant, memory.userId)
        outbox.append(extras?.outbox ?? [])
        record(extras?.audit ?? [], onRollback)
        return memoryOfRow(row)
      }),
    memory: (id) => reading(() => viewOf(byId.get(id), memoryOfRow)),
    memories: ({ tenant, userId, status = null, limit = 50, cursor }) =>
      reading(() => {
        const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
        const rows = newest.all(tenant, userId, place, status, status, limit + 1)
        return pageOf(rows as unknown as MemoryRow[], limit, memoryOfRow, ({ num }) => num)
      }),
    changeMemory: (id, revision, changes, at, records = []) =>
      group.run((onRollback) => {
        const set = changedMemoryColumns(changes)
        const change = db.prepare(
          `UPDATE memories SET ${set.map(([column]) => `${column} = ?, `).join('')}
           revision = revision + 1, updated_at = ? WHERE id = ? AND revision = ? RETURNING ${MEMORY_COLUMNS}`,
        )
        const changed = viewOf(change.get(...set.map(([, value]) => value), at, id, revision), memoryOfRow)
        if (changed) record(records, onRollback)
        return changed
      }),
    putMemoryVector: (id, { model, values }) => group.run(() => void putVector.run(model, bytesOfVector(values), id)),
    async deleteMemory(id, records = []) {
      const gone = await group.run((onRollback) => {
        const row = rowOf(id)
        if (!row) return false
        for (const one of chain(row)) remove.run(one)
        record(records, onRollback)
        return true
      })
      if (gone) await emptyLog()
      return gone
    },
    async forgetMemories(tenant, userId, records = []) {
      const forgotten = await group.run((onRollback) => {
        const { changes } = removeAll.run(tenant, userId)
        outbox.eraseOf(tenant, userId, 'memory.created')
        record(records, onRollback)
        return Number(changes)
      })
      await emptyLog()
      return forgotten
    },
    memoryTexts: (tenant, userId, ids) =>
      reading(() => {
        const rows = ids.flatMap((id) => (text.get(id, tenant, userId) ?? []) as { id: string; content: string }[])
        return new Map(rows.map((row) => [row.id, row.content]))
      }),
  }
}
