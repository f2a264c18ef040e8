import type { Memory } from '../contract/memory.ts'
import { cleanText } from './clean-text.ts'
import type { MemoryChanges, NewMemory, StoredMemory } from './memories.ts'
import { withoutNulls } from './page.ts'
import { bytesOfVector, vectorOfBytes } from './vector-bytes.ts'

export interface MemoryRow extends Omit<Memory, 'sessionId' | 'eventId' | 'supersedes'> {
  num: number
  sessionId: string | null
  eventId: string | null
  supersedes: string | null
  model: string | null
  vector: Uint8Array | null
}

export const MEMORY_COLUMNS = `num, id, tenant, user_id AS "userId", content, category, importance, status, method, source,
  session_id AS "sessionId", event_id AS "eventId", supersedes, model, vector, created_at AS "createdAt",
  updated_at AS "updatedAt", revision`

export function memoryOfRow({ num: _, model, vector, ...row }: MemoryRow): StoredMemory {
  return {
    ...withoutNulls(row),
    ...(model !== null && vector !== null && { vector: { model, values: vectorOfBytes(vector) } }),
  }
}

/** In the order of `newMemoryValues`. */
export const NEW_MEMORY_COLUMNS = `id, tenant, user_id, content, category, importance, status, method, source, session_id,
  event_id, supersedes, model, vector, created_at, updated_at, revision`

export function newMemoryValues(memory: NewMemory): (string | number | null | Uint8Array)[] {
  const { id, tenant, userId, content, category, importance, status, method, source, vector, createdAt } = memory
  return [
    id,
    tenant,
    userId,
    cleanText(content),
    category,
    importance,
    status,
    method,
    source,
    memory.sessionId ?? null,
    memory.eventId ?? null,
    memory.supersedes ?? null,
    vector?.model ?? null,
    vector ? bytesOfVector(vector.values) : null,
    createdAt,
    createdAt,
    1,
  ]
}

/** The columns that change, with their values. */
export function changedMemoryColumns(changes: MemoryChanges): [column: string, value: string | number][] {
  const { status, importance, category } = changes
  const given = { status, importance, category }
  return Object.entries(given).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]]))
}
